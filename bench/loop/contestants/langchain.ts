import type { Open, Play } from "../contestant.ts";
import { system } from "../conversation.ts";
import { type Chunk, type Langchain, loadLangchain } from "./load-langchain.ts";

/** `createAgent` of LangChain with a chat model of its own kind, streamed message by message, without a checkpointer. */
export const openLangchain: Open = async () => playLangchain(await loadLangchain("langchain"));

/** Plays with LangChain; `checkpointer` keeps what is said, where there is one. */
export function playLangchain({ createAgent, readTool, chatModel }: Langchain, checkpointer?: unknown): Play {
  return async (conversation, meter) => {
    const results = new Map(conversation.turns.map(({ path, result }) => [path, result]));
    let characters = 0;
    let calls = 0;
    const read = async ({ path }: { readonly path: string }) => {
      calls += 1;
      return results.get(path) ?? "";
    };
    const agent = createAgent({
      model: chatModel(conversation, meter),
      tools: [readTool(read)],
      systemPrompt: system,
      checkpointer,
    });
    const input = { messages: [{ role: "user", content: conversation.prompt }] };
    const recursionLimit = 4 * conversation.turns.length + 20;
    const kept: unknown[] = [];
    for await (const [mode, data] of await agent.stream(input, {
      streamMode: ["messages", "values"],
      recursionLimit,
      configurable: { thread_id: "1" },
    })) {
      if (mode === "values")
        kept[0] = data; // the state after each step: the conversation as the agent holds it
      else characters += textOf((data as readonly [Chunk])[0]); // a chunk, and what it belongs to
    }
    return { characters, calls, kept };
  };
}

function textOf(chunk: Chunk): number {
  return chunk.getType() === "ai" && typeof chunk.content === "string" ? chunk.content.length : 0;
}
