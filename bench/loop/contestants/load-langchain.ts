import { fromPeer } from "../contestant.ts";
import { type Conversation, outputTokens, toolDescription, toolName } from "../conversation.ts";
import type { Meter } from "../meter.ts";
import type { Zod } from "./zod.ts";

/** LangChain as the contestants use it. */
export interface Langchain {
  createAgent(options: unknown): Agent;
  /** The conversation's tool. */
  readTool(run: (input: { readonly path: string }) => Promise<string>): unknown;
  /** A chat model of its own kind that streams the conversation. */
  chatModel(conversation: Conversation, meter: Meter): unknown;
}

export interface Agent {
  /** With several stream modes: pairs of a mode and its data. */
  stream(input: unknown, options: unknown): Promise<AsyncIterable<readonly [mode: string, data: unknown]>>;
}

export interface Chunk {
  readonly content: unknown;
  getType(): string;
}

/** The part of `langchain` that is used. */
interface Exports {
  createAgent(options: unknown): Agent;
  tool(run: unknown, options: unknown): unknown;
}

/** The part of `@langchain/core` that is used. */
interface ChatModels {
  readonly BaseChatModel: new (fields: object) => object;
}
interface Messages {
  readonly AIMessageChunk: new (fields: unknown) => Chunk;
}
interface Outputs {
  readonly ChatGenerationChunk: new (fields: { readonly text: string; readonly message: Chunk }) => object;
}
type Core = ChatModels & Messages & Outputs;

interface RunManager {
  handleLLMNewToken(text: string, ...more: unknown[]): Promise<void>;
}

/** Loads LangChain from the folder of a peer. */
export async function loadLangchain(peer: string): Promise<Langchain> {
  const { createAgent, tool } = await fromPeer<Exports>(`${peer}/node_modules/langchain/dist/index.js`);
  const dist = `${peer}/node_modules/@langchain/core/dist`;
  const { BaseChatModel } = await fromPeer<ChatModels>(`${dist}/language_models/chat_models.js`);
  const { AIMessageChunk } = await fromPeer<Messages>(`${dist}/messages/index.js`);
  const { ChatGenerationChunk } = await fromPeer<Outputs>(`${dist}/outputs.js`);
  const { z } = await fromPeer<Zod>(`${peer}/node_modules/zod/index.js`);
  const schema = z.object({ path: z.string() });
  return {
    createAgent,
    readTool: (run) => tool(run, { name: toolName, description: toolDescription, schema }),
    chatModel: (conversation, meter) =>
      chatModel({ BaseChatModel, AIMessageChunk, ChatGenerationChunk }, conversation, meter),
  };
}

function chatModel(
  { BaseChatModel, AIMessageChunk, ChatGenerationChunk }: Core,
  { turns, answer }: Conversation,
  meter: Meter,
): unknown {
  let nextTurn = 0;
  return new (class extends BaseChatModel {
    _llmType(): string {
      return "scripted";
    }
    bindTools(): this {
      return this;
    }
    async _generate(): Promise<never> {
      throw new Error("Expected a streamed request.");
    }
    async *_streamResponseChunks(messages: unknown, _options: unknown, manager?: RunManager): AsyncGenerator<object> {
      meter.request(messages);
      const turn = turns[nextTurn];
      nextTurn += 1;
      for (const delta of turn?.deltas ?? answer) {
        const chunk = new ChatGenerationChunk({ text: delta, message: new AIMessageChunk({ content: delta }) });
        yield chunk;
        await manager?.handleLLMNewToken(delta, undefined, undefined, undefined, undefined, { chunk });
      }
      const input_tokens = turn?.inputTokens ?? 1_000_000;
      const usage_metadata = { input_tokens, output_tokens: outputTokens, total_tokens: input_tokens + outputTokens };
      const tool_call_chunks =
        turn === undefined
          ? []
          : [{ id: turn.callId, name: toolName, args: turn.input, index: 0, type: "tool_call_chunk" }];
      yield new ChatGenerationChunk({
        text: "",
        message: new AIMessageChunk({ content: "", tool_call_chunks, usage_metadata }),
      });
    }
  })({});
}
