import {
  createOpenAIAgentsGuard,
  guardModelInput,
  guardTools,
  type OpenAIAgentsGuard,
} from "@sheepdog/integrations/openai-agents";
import { describe, expect, test } from "vitest";
import { hint, isInstalled, loadSdk, noticesIn, type Reply, type Sdk, type SdkModel, scriptedModel } from "./sdk.ts";

const now = () => 1_000;
const failingCall = [{ tool: "bash", args: { command: "npm test" } }];
const loop = (turns: number): Reply[] => Array.from({ length: turns }, () => failingCall);
const look = [{ tool: "build_status", args: { id: 7 } }];
const polling = (turns: number): Reply[] => [...Array.from({ length: turns }, () => look), "The build is done."];

const noStrictSchema = { type: "object", properties: {}, required: [], additionalProperties: true };

function failingBash(sdk: Sdk, settings: object = {}) {
  let runs = 0;
  const execute = async () => {
    runs++;
    throw new Error("1 test failed");
  };
  const description = "Runs a command.";
  const bash = sdk.tool({ name: "bash", description, parameters: noStrictSchema, strict: false, execute, ...settings });
  return { bash, runs: () => runs };
}

function progressingBuild(sdk: Sdk): object {
  let percent = 0;
  const execute = async () => {
    percent += 5;
    return `The build is at ${percent} %.`;
  };
  const description = "Says how far the build is.";
  return sdk.tool({ name: "build_status", description, parameters: noStrictSchema, strict: false, execute });
}

function agentOf(sdk: Sdk, model: SdkModel, tools: readonly object[]) {
  return new sdk.Agent({ name: "tester", model, tools: guardTools(tools) });
}

function runWith(sdk: Sdk, guard: OpenAIAgentsGuard, agent: object, input: unknown = "Run the tests.", more = {}) {
  const options = { maxTurns: 50, callModelInputFilter: guardModelInput, ...more };
  return guard.run(() => sdk.run(agent as never, input, options));
}

describe.skipIf(!isInstalled)(`OpenAI Agents${hint}`, () => {
  test("a call that fails again and again is hinted at, refused, and then ends the run", async () => {
    const sdk = await loadSdk();
    const { bash, runs } = failingBash(sdk);
    const model = scriptedModel(sdk, loop(20));
    const guard = createOpenAIAgentsGuard({ now });
    const result = runWith(sdk, guard, agentOf(sdk, model, [bash]));
    await expect(result).rejects.toMatchObject({ name: "RunStoppedError", stop: { reason: "tool_failures" } });
    const notices = noticesIn(model);
    expect(notices.slice(0, 3)).toEqual([[], [], []]);
    expect(notices[3]).toEqual([expect.stringMatching(/^<sheepdog-notice id="e1\/hint">This exact call to "bash"/)]);
    expect(notices.at(-1)?.[0]).toBe(notices[3]?.[0]); // it stays where it was said
    expect(runs()).toBe(5);
    expect(JSON.stringify(model.calls.at(-1)?.request.input)).toContain("Refused by the guardian");
    expect(model.calls).toHaveLength(8);
    expect(guard.stop?.reason).toBe("tool_failures");
  });

  test("the same with a stream", async () => {
    const sdk = await loadSdk();
    const model = scriptedModel(sdk, loop(20));
    const guard = createOpenAIAgentsGuard({ now });
    const agent = agentOf(sdk, model, [failingBash(sdk).bash]);
    const consume = async () => {
      const stream = await runWith(sdk, guard, agent, "Run the tests.", { stream: true });
      for await (const _ of stream as unknown as AsyncIterable<unknown>);
      await stream.completed;
    };
    await expect(consume()).rejects.toThrow(guard.stop?.message);
    expect(guard.stop?.reason).toBe("tool_failures");
    expect(noticesIn(model)[3]).toHaveLength(1);
  });

  test("polling with changing results is left alone", async () => {
    const sdk = await loadSdk();
    const model = scriptedModel(sdk, polling(12));
    const guard = createOpenAIAgentsGuard({ now });
    const result = await runWith(sdk, guard, agentOf(sdk, model, [progressingBuild(sdk)]));
    expect(result.finalOutput).toBe("The build is done.");
    expect(noticesIn(model).flat()).toEqual([]);
  });

  test("observe changes nothing, and neither do guarded tools without a guard", async () => {
    const sdk = await loadSdk();
    const inputs = async (guard: OpenAIAgentsGuard | undefined, isGuarded: boolean) => {
      const { bash, runs } = failingBash(sdk);
      const model = scriptedModel(sdk, [...loop(12), "I give up."]);
      const agent = new sdk.Agent({ name: "tester", model, tools: isGuarded ? guardTools([bash]) : [bash] });
      const callModelInputFilter = isGuarded ? guardModelInput : undefined;
      if (guard === undefined) await sdk.run(agent, "Run the tests.", { maxTurns: 50, callModelInputFilter });
      else await runWith(sdk, guard, agent);
      const text = JSON.stringify(model.calls.at(-1)?.request.input);
      return { text: text.replace(/"c\d+"/g, '"call"'), runs: runs() };
    };
    const plain = await inputs(undefined, false);
    expect(plain.runs).toBe(12);
    expect(await inputs(undefined, true)).toEqual(plain);
    expect(await inputs(createOpenAIAgentsGuard({ now, mode: "observe" }), true)).toEqual(plain);
  });

  test("a limit of tokens ends the run, before the calls of the reply that reached it", async () => {
    const sdk = await loadSdk();
    const model = scriptedModel(sdk, polling(12));
    const guard = createOpenAIAgentsGuard({ now, policy: { limits: { "run-tokens": { stop: 350 } } } });
    const result = runWith(sdk, guard, agentOf(sdk, model, [progressingBuild(sdk)]));
    await expect(result).rejects.toMatchObject({ stop: { reason: "token_budget" } });
    expect(model.calls).toHaveLength(4);
  });

  test("two runs at once with the same agent have two guards", async () => {
    const sdk = await loadSdk();
    const { bash, runs } = failingBash(sdk);
    const tools = guardTools([bash]);
    const run = async () => {
      const model = scriptedModel(sdk, [...loop(2), "I give up."]);
      await runWith(sdk, createOpenAIAgentsGuard({ now }), new sdk.Agent({ name: "tester", model, tools }));
      return noticesIn(model).flat();
    };
    expect(await Promise.all([run(), run()])).toEqual([[], []]);
    expect(runs()).toBe(4);
  });

  test("a run that waits for an approval continues in another process with its loop and its tokens", async () => {
    const sdk = await loadSdk();
    const { bash } = failingBash(sdk, { needsApproval: true });
    const model = scriptedModel(sdk, loop(20));
    const agent = agentOf(sdk, model, [bash]);
    const policy = { limits: { "run-tokens": { stop: 550 } } };
    let saved: string | undefined;
    let input: unknown = "Run the tests.";
    for (let turn = 0; turn < 5; turn++) {
      const state: unknown = saved === undefined ? undefined : JSON.parse(saved);
      const guard = createOpenAIAgentsGuard({ now, policy, state });
      const result = await runWith(sdk, guard, agent, input);
      for (const interruption of result.interruptions ?? []) result.state.approve(interruption);
      input = await sdk.RunState.fromString(agent, result.state.toString());
      saved = JSON.stringify(guard.snapshot());
    }
    expect(noticesIn(model)[3]).toEqual([expect.stringContaining("has failed 3 times")]);
    expect(JSON.parse(saved ?? "").tokens).toBe(400); // of four replies whose calls were made
  });

  test("an agent that is a tool shares the guard, and its loop is refused", async () => {
    const sdk = await loadSdk();
    const { bash, runs } = failingBash(sdk);
    const innerModel = scriptedModel(sdk, [...loop(6), "It fails."]);
    const inner = agentOf(sdk, innerModel, [bash]);
    const askInner = inner.asTool({ toolName: "ask", toolDescription: "Asks the tester." });
    const model = scriptedModel(sdk, [[{ tool: "ask", args: { input: "Test it." } }], "It fails."]);
    const guard = createOpenAIAgentsGuard({ now });
    const result = await runWith(sdk, guard, agentOf(sdk, model, [askInner]));
    expect(result.finalOutput).toBe("It fails.");
    expect(runs()).toBe(5);
    expect(JSON.stringify(innerModel.calls.at(-1)?.request.input)).toContain("Refused by the guardian");
    expect(guard.snapshot().tokens).toBeGreaterThanOrEqual(700);
  });

  test("a handoff continues with the same guard", async () => {
    const sdk = await loadSdk();
    const { bash, runs } = failingBash(sdk);
    const second = agentOf(sdk, scriptedModel(sdk, loop(20)), [bash]);
    const handoff = [{ tool: "transfer_to_tester", args: {} }];
    const model = scriptedModel(sdk, [...loop(2), handoff]);
    const first = new sdk.Agent({ name: "first", model, tools: guardTools([bash]), handoffs: [second] });
    const result = runWith(sdk, createOpenAIAgentsGuard({ now }), first);
    await expect(result).rejects.toMatchObject({ stop: { reason: "tool_failures" } });
    expect(runs()).toBe(5);
  });

  test("parallel calls are judged one by one, and each gets a result", async () => {
    const sdk = await loadSdk();
    const { bash, runs } = failingBash(sdk);
    const both = [...failingCall, ...look];
    const model = scriptedModel(sdk, [...Array.from({ length: 7 }, () => both), "I give up."]);
    const guard = createOpenAIAgentsGuard({ now });
    const result = await runWith(sdk, guard, agentOf(sdk, model, [bash, progressingBuild(sdk)]));
    const text = JSON.stringify(result.history);
    expect(text.match(/The build is at/g)).toHaveLength(7);
    expect(runs()).toBeLessThan(7);
  });
});

test("a call without an id is made without the guard", async () => {
  type Guardrail = { run(data: object): Promise<object> };
  const [bash] = guardTools([
    { type: "function", inputGuardrails: [] as Guardrail[], outputGuardrails: [] as Guardrail[] },
  ]);
  const toolCall = { callId: "", name: "bash", arguments: "{}" };
  const results = createOpenAIAgentsGuard({ now }).run(() =>
    [...(bash?.inputGuardrails ?? []), ...(bash?.outputGuardrails ?? [])].map((guardrail) =>
      guardrail.run({ context: {}, toolCall, output: "ok" }),
    ),
  );
  expect(await Promise.all(results)).toEqual([{ behavior: { type: "allow" } }, { behavior: { type: "allow" } }]);
});
