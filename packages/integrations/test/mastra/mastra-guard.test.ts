import { createMastraGuard, type MastraGuard } from "@sheepdog/integrations/mastra";
import { describe, expect, test } from "vitest";
import {
  hint,
  isInstalled,
  loadMastra,
  type Mastra,
  noticesIn,
  type Reply,
  type ScriptedModel,
  scriptedModel,
} from "./mastra.ts";

const now = () => 1_000;
const failingCall = [{ tool: "bash", args: { command: "npm test" } }];
const loop = (turns: number): Reply[] => Array.from({ length: turns }, () => failingCall);
const look = [{ tool: "build_status", args: { id: "7" } }];
const polling = (turns: number): Reply[] => [...Array.from({ length: turns }, () => look), "The build is done."];

/** An agent with a test command that fails and a build that makes progress. */
function agentOf(mastra: Mastra, { model }: ScriptedModel, guard?: MastraGuard) {
  let runs = 0;
  let percent = 0;
  const bash = mastra.createTool({
    id: "bash",
    description: "Runs a command.",
    execute: async () => {
      runs++;
      throw new Error("1 test failed");
    },
  });
  const build_status = mastra.createTool({
    id: "build_status",
    description: "Says how far the build is.",
    execute: async () => {
      percent += 5;
      return `The build is at ${percent} %.`;
    },
  });
  const guarded = guard === undefined ? {} : { hooks: guard.hooks, inputProcessors: [guard.processor] };
  const settings = { id: "tester", name: "tester", instructions: "Test it.", model, tools: { bash, build_status } };
  return { agent: new mastra.Agent({ ...settings, ...guarded }), runs: () => runs };
}

const options = { maxSteps: 50 };

describe.skipIf(!isInstalled)(`Mastra${hint}`, () => {
  test("a call that fails again and again is hinted at, refused, and then ends the run", async () => {
    const mastra = await loadMastra();
    const model = scriptedModel(loop(20));
    const guard = createMastraGuard({ now });
    const { agent, runs } = agentOf(mastra, model, guard);
    const requestContext = new mastra.RequestContext();
    const { tripwire } = await agent.generate("Run the tests.", { ...options, requestContext });
    const notices = noticesIn(model);
    expect(notices.slice(0, 3)).toEqual([[], [], []]);
    expect(notices[3]).toEqual([expect.stringMatching(/^<sheepdog-notice id="e1\/hint">This exact call to "bash"/)]);
    expect(model.prompts[3]?.at(-1)?.role).toBe("user");
    expect(notices.at(-1)?.[0]).toBe(notices[3]?.[0]);
    const placeIn = (prompt: number) =>
      model.prompts[prompt]?.findIndex(({ content }) => JSON.stringify(content).includes("e1/hint"));
    expect(placeIn(6)).toBe(placeIn(3)); // it stays where it was said
    expect(runs()).toBe(5);
    expect(JSON.stringify(model.prompts.at(-1))).toContain("Refused by the guardian");
    expect(model.prompts).toHaveLength(8);
    const { stop } = guard.guardOf(requestContext) ?? {};
    expect(stop?.reason).toBe("tool_failures");
    expect(tripwire).toMatchObject({ reason: stop?.message, metadata: stop });
  });

  test("the same with a stream", async () => {
    const mastra = await loadMastra();
    const model = scriptedModel(loop(20));
    const { agent, runs } = agentOf(mastra, model, createMastraGuard({ now }));
    const stream = await agent.stream("Run the tests.", options);
    expect((await stream.getFullOutput()).tripwire).toMatchObject({ metadata: { reason: "tool_failures" } });
    expect(runs()).toBe(5);
    expect(noticesIn(model)[3]).toHaveLength(1);
  });

  test("polling with changing results is left alone", async () => {
    const mastra = await loadMastra();
    const model = scriptedModel(polling(12));
    const { agent } = agentOf(mastra, model, createMastraGuard({ now }));
    expect((await agent.generate("Wait for the build.", options)).text).toBe("The build is done.");
    expect(noticesIn(model).flat()).toEqual([]);
  });

  test("observe changes nothing", async () => {
    const mastra = await loadMastra();
    const run = async (guard?: MastraGuard) => {
      const model = scriptedModel([...loop(12), "I give up."]);
      const { agent, runs } = agentOf(mastra, model, guard);
      const { text } = await agent.generate("Run the tests.", options);
      const prompts = JSON.stringify(model.prompts)
        .replace(/"c\d+"/g, '"call"')
        .replace(/"createdAt":\d+/g, "");
      return { text, prompts, runs: runs() };
    };
    expect(await run(createMastraGuard({ now, mode: "observe" }))).toEqual(await run());
  });

  test("a limit of tokens ends the run, before the calls of the reply that reached it", async () => {
    const mastra = await loadMastra();
    const model = scriptedModel(polling(12));
    const guard = createMastraGuard({ now, policy: { limits: { "run-tokens": { stop: 350 } } } });
    const { tripwire } = await agentOf(mastra, model, guard).agent.generate("Wait for the build.", options);
    expect(tripwire).toMatchObject({ metadata: { reason: "token_budget" } });
    expect(model.prompts).toHaveLength(4);
  });

  test("runs of one agent are not mixed, one after another or at once, also with one request context", async () => {
    const mastra = await loadMastra();
    const guard = createMastraGuard({ now });
    const requestContext = new mastra.RequestContext();
    const run = async () => {
      const model = scriptedModel([...loop(2), "I give up."]);
      await agentOf(mastra, model, guard).agent.generate("Run the tests.", { ...options, requestContext });
      return noticesIn(model).flat();
    };
    expect(await Promise.all([run(), run()])).toEqual([[], []]);
    expect(await run()).toEqual([]);
  });

  test("a run continues from the state of an earlier one", async () => {
    const mastra = await loadMastra();
    const run = async (state?: unknown) => {
      const model = scriptedModel([...loop(3), "I give up."]);
      const guard = createMastraGuard({ now, policy: { limits: { "run-tokens": { stop: 450 } } } });
      const requestContext = new mastra.RequestContext();
      if (state !== undefined) guard.restore(requestContext, state);
      const { text } = await agentOf(mastra, model, guard).agent.generate("Run the tests.", {
        ...options,
        requestContext,
      });
      return {
        text,
        notices: noticesIn(model).at(-1),
        state: JSON.stringify(guard.guardOf(requestContext)?.snapshot()),
      };
    };
    const first = await run();
    const second = await run(JSON.parse(first.state));
    expect(first.notices).toEqual([expect.stringContaining("has failed 3 times")]);
    expect(second.notices).toEqual([expect.stringContaining("has failed 5 times"), expect.anything()]);
    expect(second.text).toBe("I give up."); // its tokens started at zero
  });

  test("parallel calls are judged one by one, and each gets a result", async () => {
    const mastra = await loadMastra();
    const both = [...failingCall, ...look];
    const model = scriptedModel([...Array.from({ length: 7 }, () => both), "I give up."]);
    const { agent, runs } = agentOf(mastra, model, createMastraGuard({ now }));
    await agent.generate("Run the tests.", options);
    expect(JSON.stringify(model.prompts.at(-1)).match(/The build is at/g)).toHaveLength(7);
    expect(runs()).toBeLessThan(7);
  });
});

test("a call without an id is made without the guard", () => {
  const { hooks, processor } = createMastraGuard({ now });
  const requestContext = {};
  const chunks = [{ type: "tool-call", payload: { toolCallId: "", toolName: "bash" } }];
  processor.processLLMResponse({ state: {}, requestContext, chunks, model: {} });
  const call = { toolName: "bash", input: {}, context: { requestContext, toolCallId: "" } };
  expect(hooks.beforeToolCall(call)).toBeUndefined();
  hooks.afterToolCall({ ...call, output: "ok" });
});
