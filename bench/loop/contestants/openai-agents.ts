import { fromPeer, type Load } from "../contestant.ts";
import { type Conversation, outputTokens, system, toolDescription, toolName } from "../conversation.ts";
import type { Meter } from "../meter.ts";
import { createReadTool } from "./read-tool.ts";
import type { Zod } from "./zod.ts";

interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The part of `@openai/agents` that is used. */
interface Agents {
  readonly Agent: new (options: unknown) => unknown;
  readonly Runner: new (options: {
    readonly tracingDisabled: boolean;
  }) => { run(agent: unknown, prompt: string, options: unknown): Promise<Streamed> };
  tool(options: unknown): unknown;
}

interface Streamed
  extends AsyncIterable<{ readonly type: string; readonly data?: { readonly type: string; readonly delta?: string } }> {
  readonly completed: Promise<void>;
}

/** The runner of `@openai/agents` with a model of its own kind, streamed, without tracing. */
export const loadOpenaiAgents: Load = async () => {
  const { Agent, Runner, tool } = await fromPeer<Agents>("openai-agents/node_modules/@openai/agents/dist/index.mjs");
  const { z } = await fromPeer<Zod>("openai-agents/node_modules/zod/index.js");
  const parameters = z.object({ path: z.string() });
  return async (conversation, meter) => {
    const { execute, calls } = createReadTool(conversation);
    let characters = 0;
    const tools = [tool({ name: toolName, description: toolDescription, parameters, execute })];
    const agent = new Agent({ name: "bench", instructions: system, model: model(conversation, meter), tools });
    const streamed = await new Runner({ tracingDisabled: true }).run(agent, conversation.prompt, {
      stream: true,
      maxTurns: conversation.turns.length + 2,
    });
    for await (const event of streamed) {
      if (event.type === "raw_model_stream_event" && event.data?.type === "output_text_delta")
        characters += event.data.delta?.length ?? 0;
    }
    await streamed.completed;
    return { characters, calls: calls(), retained: streamed };
  };
};

function model({ turns, answer }: Conversation, meter: Meter): unknown {
  let nextTurn = 0;
  return {
    async getResponse() {
      throw new Error("Expected a streamed request.");
    },
    async *getStreamedResponse(): AsyncGenerator<StreamEvent> {
      meter.request();
      const turn = turns[nextTurn];
      nextTurn += 1;
      const deltas = turn?.deltas ?? answer;
      yield { type: "response_started" };
      for (const delta of deltas) yield { type: "output_text_delta", delta };
      const text = {
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: deltas.join("") }],
      };
      const call = {
        type: "function_call",
        callId: turn?.callId,
        name: toolName,
        arguments: turn?.input,
        status: "completed",
      };
      const inputTokens = turn?.inputTokens ?? 1_000_000;
      const usage = { requests: 1, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
      yield {
        type: "response_done",
        response: { id: `response_${nextTurn}`, usage, output: turn === undefined ? [text] : [text, call] },
      };
    },
  };
}
