import { createAiSdkGuard } from "@sheepdog/integrations/ai-sdk";
import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { type PromptMessage, type Reply, type ScriptedCall, scriptedModel } from "./scripted-model.ts";
import { type AiSdk, type Version, versions } from "./versions.ts";

const failing: ScriptedCall = { tool: "bash", input: { command: "npm test" } };
const looping: readonly Reply[] = Array.from({ length: 30 }, () => [failing]);

describe.each(versions)("$name", (version) => {
  const { isInstalled, load, model } = version;

  test.skipIf(!isInstalled)("a loop is hinted at, then refused, then ended", async () => {
    const sdk = await load();
    const scripted = model(looping);
    const { tools, executed } = shell(sdk);
    const guard = createAiSdkGuard({ now: () => 1_000 });
    const stopWhen = sdk.stepCountIs(30);
    const result = await sdk.generateText(
      guard.settings({ model: scripted.model, tools, stopWhen, prompt: "Run the tests." }),
    );

    expect(noticesOf(scripted.prompts.at(2))).toEqual([]);
    expect(noticesOf(scripted.prompts.at(3))).toEqual([
      expect.stringMatching(/^<sheepdog-notice id="e1\/hint">This exact call to "bash" has failed 3/),
    ]);
    expect(scripted.prompts.at(3)?.at(-1)?.role).toBe("user");
    expect(executed).toHaveLength(5);
    expect(resultsOf(scripted.prompts.at(6)).at(-1)).toMatch(/Refused by the guardian, not run\. This exact call/);
    expect(guard.stop?.reason).toBe("tool_failures");
    expect(result.steps).toHaveLength(8);
  });

  test.skipIf(!isInstalled)("a notice stays where it was said", async () => {
    const sdk = await load();
    const scripted = model(looping);
    const guard = createAiSdkGuard({ now: () => 1_000 });
    const { tools } = shell(sdk);
    await sdk.generateText(
      guard.settings({ model: scripted.model, tools, stopWhen: sdk.stepCountIs(30), prompt: "Run the tests." }),
    );
    const [third, last] = [scripted.prompts.at(3), scripted.prompts.at(-1)];
    expect(last?.slice(0, third?.length)).toEqual(third);
    expect(noticesOf(last)).toHaveLength(new Set(noticesOf(last)).size);
    expect(noticesOf(last).length).toBeGreaterThan(1);
  });

  test.skipIf(!isInstalled)("the same with a stream", async () => {
    const sdk = await load();
    const scripted = model(looping);
    const { tools, executed } = shell(sdk);
    const guard = createAiSdkGuard({ now: () => 1_000 });
    const result = sdk.streamText(
      guard.settings({ model: scripted.model, tools, stopWhen: sdk.stepCountIs(30), prompt: "Run the tests." }),
    );
    await result.consumeStream();
    expect(noticesOf(scripted.prompts.at(3))).toHaveLength(1);
    expect(executed).toHaveLength(5);
    expect(guard.stop?.reason).toBe("tool_failures");
    expect(await result.steps).toHaveLength(8);
  });

  test.skipIf(!isInstalled)("the same in a ToolLoopAgent", async () => {
    const sdk = await load();
    const scripted = model(looping);
    const { tools, executed } = shell(sdk);
    const guard = createAiSdkGuard({ now: () => 1_000 });
    const agent = new sdk.ToolLoopAgent(
      guard.settings({ model: scripted.model, tools, stopWhen: sdk.stepCountIs(30), instructions: "Be quick." }),
    );
    await agent.generate({ prompt: "Run the tests." });
    expect(noticesOf(scripted.prompts.at(3))).toHaveLength(1);
    expect(executed).toHaveLength(5);
    expect(guard.stop?.reason).toBe("tool_failures");
  });

  test.skipIf(!isInstalled)("the same with the middleware and no prepareStep", async () => {
    const sdk = await load();
    const scripted = model(looping);
    const { tools, executed } = shell(sdk);
    const guard = createAiSdkGuard({ now: () => 1_000, run: "r" });
    // The guard of this repository has the types of version 6; with version 7 installed it has those of 7.
    const wrapped = sdk.wrapLanguageModel({ model: scripted.model as never, middleware: guard.middleware });
    const stopWhen = [sdk.stepCountIs(30), guard.stopWhen];
    await sdk.generateText({ model: wrapped, tools: guard.tools(tools), stopWhen, prompt: "Run the tests." });
    expect(noticesOf(scripted.prompts.at(3))).toHaveLength(1);
    expect(scripted.prompts.at(-1)?.slice(0, scripted.prompts.at(3)?.length)).toEqual(scripted.prompts.at(3));
    expect(executed).toHaveLength(5);
    expect(guard.stop?.reason).toBe("tool_failures");
    expect(guard.snapshot().tokens).toBe(8 * 110);
  });

  test.skipIf(!isInstalled)("a run that waits for a result that changes is left alone", async () => {
    const sdk = await load();
    const calls = Array.from({ length: 12 }, () => [{ tool: "deploy_status", input: { id: "d1" } }]);
    const scripted = model(calls);
    let [seconds, percent] = [0, 0];
    const guard = createAiSdkGuard({ now: () => seconds * 1_000 });
    const result = await sdk.generateText(
      guard.settings({
        model: scripted.model,
        tools: {
          deploy_status: sdk.tool({
            inputSchema: sdk.jsonSchema<{ id: string }>({ type: "object" }),
            execute: () => {
              seconds += 15;
              percent += 8;
              return { state: "deploying", percent };
            },
          }),
        },
        stopWhen: sdk.stepCountIs(30),
        prompt: "Wait for the deployment.",
      }),
    );
    expect(result.text).toBe("Done.");
    expect(scripted.prompts.flatMap(noticesOf)).toEqual([]);
    expect(guard.stop).toBeUndefined();
  });

  test.skipIf(!isInstalled)("a saved guard continues in another process, with what it has said", async () => {
    const sdk = await load();
    const whole = await inTwoParts(sdk, version, 30);
    const parts = await inTwoParts(sdk, version, 4);
    expect(parts.executed).toBe(whole.executed);
    expect(parts.lastPrompt.slice(0, 13)).toEqual(whole.lastPrompt.slice(0, 13));
    expect(parts.reason).toBe(whole.reason);
  });

  test.skipIf(!isInstalled)("in mode observe nothing changes", async () => {
    const sdk = await load();
    const [plain, watched] = [model(looping), model(looping)];
    const settings = { stopWhen: sdk.stepCountIs(12), prompt: "Run the tests." };
    const expected = await sdk.generateText({ model: plain.model, tools: shell(sdk).tools, ...settings });
    const events: string[] = [];
    const guard = createAiSdkGuard({
      mode: "observe",
      now: () => 1_000,
      onEvent: (event) => events.push(event.type === "intervention" ? event.intervention.level : event.type),
    });
    const result = await sdk.generateText(
      guard.settings({ model: watched.model, tools: shell(sdk).tools, ...settings }),
    );
    expect(watched.prompts).toEqual(plain.prompts);
    expect(result.response.messages).toEqual(expected.response.messages);
    expect(events).toEqual(expect.arrayContaining(["hint", "warn", "block", "halt"]));
    expect(guard.stop).toBeUndefined();
  });

  test.skipIf(!isInstalled)("a limit of tokens ends the run, also with a model named by a string", async () => {
    const sdk = await load();
    const scripted = model(looping);
    const globals = globalThis as { AI_SDK_DEFAULT_PROVIDER?: unknown };
    globals.AI_SDK_DEFAULT_PROVIDER = { ...scripted.model, languageModel: () => scripted.model };
    const guard = createAiSdkGuard({ now: () => 1_000, policy: { limits: { "run-tokens": { stop: 300 } } } });
    const { tools } = shell(sdk);
    const result = await sdk.generateText(
      guard.settings({ model: "any/model", tools, stopWhen: sdk.stepCountIs(30), prompt: "Run the tests." }),
    );
    globals.AI_SDK_DEFAULT_PROVIDER = undefined;
    expect(guard.stop?.reason).toBe("token_budget");
    expect(result.steps).toHaveLength(3);
  });

  test.skipIf(!isInstalled)("the last step is counted", async () => {
    const sdk = await load();
    const guard = createAiSdkGuard();
    const { tools } = shell(sdk);
    await sdk.generateText(
      guard.settings({ model: model([[failing]]).model, tools, stopWhen: sdk.stepCountIs(30), prompt: "Run." }),
    );
    expect(guard.snapshot().tokens).toBe(220);
  });
});

test("settings without a stop condition are refused with the reason", () => {
  const { model } = scriptedModel("v3", []);
  expect(() => createAiSdkGuard().settings({ model } as never)).toThrow(/^Expected settings with stopWhen, got none/);
});

/** Runs the loop until it is stopped; after some steps with a new guard made from the saved one. */
async function inTwoParts(sdk: AiSdk, { model }: Version, steps: number) {
  const scripted = model(looping);
  const { tools, executed } = shell(sdk);
  const first = createAiSdkGuard({ now: () => 1_000, run: "r" });
  const prompt = { role: "user" as const, content: "Run the tests." };
  const result = await sdk.generateText(
    first.settings({ model: scripted.model, tools, stopWhen: sdk.stepCountIs(steps), messages: [prompt] }),
  );
  let reason = first.stop?.reason;
  if (reason === undefined) {
    const state: unknown = JSON.parse(JSON.stringify(first.snapshot()));
    const second = createAiSdkGuard({ now: () => 2_000, run: "r", state });
    const messages = [prompt, ...allMessages(result)];
    await sdk.generateText(second.settings({ model: scripted.model, tools, stopWhen: sdk.stepCountIs(30), messages }));
    reason = second.stop?.reason;
  }
  return { executed: executed.length, reason, lastPrompt: scripted.prompts.at(-1) ?? [] };
}

/** The messages of all steps. Version 7 has them here, and in `response` those of the last step. */
function allMessages(result: { response: { messages: ModelMessage[] }; responseMessages?: ModelMessage[] }) {
  return result.responseMessages ?? result.response.messages;
}

/** A tool that always fails, and what it was called with. */
function shell({ tool, jsonSchema }: AiSdk) {
  const executed: string[] = [];
  const bash = tool({
    inputSchema: jsonSchema<{ command: string }>({ type: "object" }),
    execute: async ({ command }): Promise<string> => {
      executed.push(command);
      throw new Error("Error: Cannot find module './sum.js'");
    },
  });
  return { tools: { bash }, executed };
}

function noticesOf(prompt: readonly PromptMessage[] | undefined): readonly string[] {
  return partsOf(prompt, "user").flatMap(({ text }) =>
    (text ?? "").split("\n").filter((line) => line.startsWith("<sheepdog-notice")),
  );
}

function resultsOf(prompt: readonly PromptMessage[] | undefined): readonly string[] {
  return partsOf(prompt, "tool").map(({ output }) => JSON.stringify(output));
}

interface Part {
  readonly text?: string;
  readonly output?: unknown;
}

function partsOf(prompt: readonly PromptMessage[] | undefined, role: string): readonly Part[] {
  return (prompt ?? []).filter((message) => message.role === role).flatMap(({ content }) => content as readonly Part[]);
}
