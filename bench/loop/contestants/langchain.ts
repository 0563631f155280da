import type { Load, RunConversation } from "../contestant.ts";
import { system } from "../conversation.ts";
import { type Chunk, type Langchain, loadLangchain } from "./load-langchain.ts";
import { createReadTool } from "./read-tool.ts";

/** `createAgent` of LangChain with a chat model of its own kind, streamed, without a checkpointer. */
export const loadLangchainAgent: Load = async () => langchainAgent(await loadLangchain("langchain"));

/** An agent of LangChain, which saves the conversation when a checkpointer is given. */
export function langchainAgent(
  { createAgent, readTool, chatModel }: Langchain,
  checkpointer?: unknown,
): RunConversation {
  return async (conversation, meter) => {
    const { execute, calls } = createReadTool(conversation);
    const agent = createAgent({
      model: chatModel(conversation, meter),
      tools: [readTool(execute)],
      systemPrompt: system,
      checkpointer,
    });
    const stream = await agent.stream(
      { messages: [{ role: "user", content: conversation.prompt }] },
      {
        streamMode: ["messages", "values"],
        recursionLimit: 4 * conversation.turns.length + 20,
        configurable: { thread_id: "1" },
      },
    );
    let characters = 0;
    let state: unknown;
    for await (const [mode, data] of stream) {
      if (mode === "values") state = data;
      else characters += textLength((data as readonly [Chunk])[0]); // a chunk and its metadata
    }
    return { characters, calls: calls(), retained: state };
  };
}

function textLength(chunk: Chunk): number {
  return chunk.getType() === "ai" && typeof chunk.content === "string" ? chunk.content.length : 0;
}
