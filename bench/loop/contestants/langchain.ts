import { fromPeer, type Open } from "../contestant.ts";
import { type Conversation, outputTokens, system, toolDescription, toolName } from "../conversation.ts";
import type { Meter } from "../meter.ts";
import type { Zod } from "./zod.ts";

/** What is used of `langchain`. */
interface Langchain {
  createAgent(options: unknown): { stream(input: unknown, options: unknown): Promise<AsyncIterable<readonly [Chunk, unknown]>> };
  tool(run: unknown, options: unknown): unknown;
}

interface Chunk {
  readonly content: unknown;
  getType(): string;
}

/** What is used of `@langchain/core`. */
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

/** `createAgent` of LangChain with a chat model of its own kind, streamed message by message, without a checkpointer. */
export const openLangchain: Open = async () => {
  const { createAgent, tool } = await fromPeer<Langchain>("langchain/node_modules/langchain/dist/index.js");
  const core = "langchain/node_modules/@langchain/core/dist";
  const { BaseChatModel } = await fromPeer<ChatModels>(`${core}/language_models/chat_models.js`);
  const { AIMessageChunk } = await fromPeer<Messages>(`${core}/messages/index.js`);
  const { ChatGenerationChunk } = await fromPeer<Outputs>(`${core}/outputs.js`);
  const { z } = await fromPeer<Zod>("langchain/node_modules/zod/index.js");
  return async (conversation, meter) => {
    const results = new Map(conversation.turns.map(({ path, result }) => [path, result]));
    let characters = 0;
    let calls = 0;
    const read = async ({ path }: { readonly path: string }) => {
      calls += 1;
      return results.get(path) ?? "";
    };
    const agent = createAgent({
      model: chatModel({ BaseChatModel, AIMessageChunk, ChatGenerationChunk }, conversation, meter),
      tools: [tool(read, { name: toolName, description: toolDescription, schema: z.object({ path: z.string() }) })],
      systemPrompt: system,
    });
    const input = { messages: [{ role: "user", content: conversation.prompt }] };
    const kept: unknown[] = [];
    const stream = await agent.stream(input, { streamMode: ["messages", "values"], recursionLimit: 4 * conversation.turns.length + 20 });
    for await (const [mode, data] of stream as unknown as AsyncIterable<readonly [string, unknown]>) {
      if (mode === "values")
        kept[0] = data; // the state after each step: the conversation as the agent holds it
      else characters += textOf((data as readonly [Chunk])[0]); // a chunk, and what it belongs to
    }
    return { characters, calls, kept };
  };
};

function textOf(chunk: Chunk): number {
  return chunk.getType() === "ai" && typeof chunk.content === "string" ? chunk.content.length : 0;
}

function chatModel({ BaseChatModel, AIMessageChunk, ChatGenerationChunk }: Core, { turns, answer }: Conversation, meter: Meter): unknown {
  let next = 0;
  return new (class extends BaseChatModel {
    _llmType(): string {
      return "scripted";
    }
    bindTools(): this {
      return this;
    }
    async _generate(): Promise<never> {
      throw new Error("Expected to be streamed from; nobody else is asked here.");
    }
    async *_streamResponseChunks(_messages: unknown, _options: unknown, manager?: RunManager): AsyncGenerator<object> {
      meter.request();
      const turn = turns[next];
      next += 1;
      for (const delta of turn?.deltas ?? answer) {
        const chunk = new ChatGenerationChunk({ text: delta, message: new AIMessageChunk({ content: delta }) });
        yield chunk;
        await manager?.handleLLMNewToken(delta, undefined, undefined, undefined, undefined, { chunk });
      }
      const input_tokens = turn?.inputTokens ?? 1_000_000;
      const usage_metadata = { input_tokens, output_tokens: outputTokens, total_tokens: input_tokens + outputTokens };
      const tool_call_chunks = turn === undefined ? [] : [{ id: turn.callId, name: toolName, args: turn.input, index: 0, type: "tool_call_chunk" }];
      yield new ChatGenerationChunk({ text: "", message: new AIMessageChunk({ content: "", tool_call_chunks, usage_metadata }) });
    }
  })({});
}
