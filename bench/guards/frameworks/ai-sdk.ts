import { createAiSdkGuard } from "../../../packages/integrations/dist/ai-sdk/index.js";
import { fromPeer } from "../../loop/contestant.ts";
import { type Conversation, toolName } from "../../loop/conversation.ts";
import { scriptedModel } from "../../loop/scripted-model.ts";
import { expectTurns, type Framework, talkOf } from "../framework.ts";

/** The part of `ai` that is used. */
interface Ai {
  stepCountIs(steps: number): () => boolean;
  jsonSchema(schema: object): unknown;
  streamText(settings: object): {
    consumeStream(): PromiseLike<void>;
    readonly steps: PromiseLike<readonly unknown[]>;
  };
}

/** `streamText`, its stream read to the end. */
export function aiSdk(name: string, file: string): Framework {
  return {
    name,
    async load() {
      const { jsonSchema, stepCountIs, streamText } = await fromPeer<Ai>(file);
      return {
        async run(turns, isGuarded) {
          const talk = talkOf(turns);
          const read = { inputSchema: jsonSchema({ type: "object" }), execute: readerOf(talk.turns) };
          const model = scriptedModel(talk, { request: () => {} });
          const tools = { [toolName]: read };
          const settings = { model, tools, stopWhen: stepCountIs(turns + 2), prompt: talk.prompt };
          const result = streamText(isGuarded ? createAiSdkGuard().settings(settings) : settings);
          await result.consumeStream();
          expectTurns((await result.steps).length - 1, turns);
        },
        guardAlone,
      };
    },
  };
}

type Turns = Conversation["turns"];

function readerOf(turns: Turns): (input: { readonly path: string }) => Promise<string> {
  const results = new Map(turns.map(({ path, result }) => [path, result]));
  return async ({ path }) => results.get(path) ?? "";
}

/** `prepareStep`, the tool, `onStepFinish` and the stop condition, as one step calls them. */
async function guardAlone(turnCount: number): Promise<void> {
  const { turns, prompt } = talkOf(turnCount);
  const guard = createAiSdkGuard();
  const { read } = guard.tools({ read: { execute: readerOf(turns) } });
  const execute = read.execute as (input: unknown, options: unknown) => Promise<string>; // the guarded one has both
  const messages: unknown[] = [{ role: "user", content: prompt }];
  const steps: Parameters<typeof guard.onStepFinish>[0][] = [];
  for (const { callId: toolCallId, path, inputTokens } of turns) {
    guard.prepareStep({ steps, messages });
    const input = { path };
    const output = await execute(input, { toolCallId, messages });
    const call = { type: "tool-call", toolCallId, toolName: "read", input };
    const result = { type: "tool-result", toolCallId, toolName: "read", input, output };
    const usage = { inputTokens, outputTokens: 60 };
    const step = { content: [call, result], text: "", toolCalls: [call], usage, response: { modelId: "m" } };
    steps.push(step);
    messages.push({ role: "assistant", content: [call] }, { role: "tool", content: [result] });
    guard.onStepFinish(step);
    if (guard.stopWhen({ steps })) throw new Error("Expected a run that is not stopped.");
  }
}
