import { fromPeer, type Load } from "../contestant.ts";
import { system, toolDescription, toolName } from "../conversation.ts";
import { type ScriptedModel, scriptedModel } from "../scripted-model.ts";
import { createReadTool } from "./read-tool.ts";
import type { Zod } from "./zod.ts";

/** The part of `ai` that is used. */
interface Ai {
  stepCountIs(steps: number): unknown;
  tool(options: unknown): unknown;
  streamText(options: { readonly model: ScriptedModel; readonly [option: string]: unknown }): {
    readonly fullStream: AsyncIterable<{ readonly type: string; readonly text?: string; readonly error?: unknown }>;
    readonly response: PromiseLike<unknown>;
  };
}

/** `streamText` of the AI SDK, its stream read to the end. */
export const loadAi: Load = async () => {
  const { streamText, stepCountIs, tool } = await fromPeer<Ai>("ai/node_modules/ai/dist/index.mjs");
  const { z } = await fromPeer<Zod>("ai/node_modules/zod/index.js");
  const inputSchema = z.object({ path: z.string() });
  return async (conversation, meter) => {
    const { execute, calls } = createReadTool(conversation);
    let characters = 0;
    const result = streamText({
      model: scriptedModel(conversation, meter),
      system,
      prompt: conversation.prompt,
      tools: { [toolName]: tool({ description: toolDescription, inputSchema, execute }) },
      stopWhen: stepCountIs(conversation.turns.length + 2),
    });
    for await (const part of result.fullStream) {
      if (part.type === "text-delta") characters += part.text?.length ?? 0;
      if (part.type === "error") throw part.error;
    }
    return { characters, calls: calls(), retained: await result.response };
  };
};
