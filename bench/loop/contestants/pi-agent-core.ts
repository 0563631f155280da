import { fromPeer, type Open } from "../contestant.ts";
import { type Conversation, outputTokens, system, toolDescription, toolName } from "../conversation.ts";
import type { Meter } from "../meter.ts";

/** What is used of `@mariozechner/pi-agent-core`. */
interface PiAgent {
  readonly Agent: new (
    options: unknown,
  ) => {
    readonly state: { readonly errorMessage?: string };
    subscribe(listener: (event: { readonly type: string; readonly assistantMessageEvent?: { readonly type: string; readonly delta?: string } }) => void): void;
    prompt(text: string): Promise<void>;
  };
}

/** What is used of `@mariozechner/pi-ai`. */
interface PiAi {
  createAssistantMessageEventStream(): { push(event: unknown): void };
}

interface Typebox {
  readonly Type: { Object(shape: unknown): unknown; String(): unknown };
}

const about = { api: "scripted", provider: "scripted", model: "scripted" };

/** The `Agent` of pi with a stream function of its own kind, which is a queue in memory and no web stream. */
export const openPi: Open = async () => {
  const { Agent } = await fromPeer<PiAgent>("pi-agent-core/node_modules/@mariozechner/pi-agent-core/dist/index.js");
  const { createAssistantMessageEventStream } = await fromPeer<PiAi>("pi-agent-core/node_modules/@mariozechner/pi-ai/dist/index.js");
  const { Type } = await fromPeer<Typebox>("pi-agent-core/node_modules/typebox/build/index.mjs");
  return async (conversation, meter) => {
    const results = new Map(conversation.turns.map(({ path, result }) => [path, result]));
    let characters = 0;
    let calls = 0;
    const tool = {
      name: toolName,
      label: toolName,
      description: toolDescription,
      parameters: Type.Object({ path: Type.String() }),
      async execute(_id: string, { path }: { readonly path: string }) {
        calls += 1;
        return { content: [{ type: "text", text: results.get(path) ?? "" }], details: {} };
      },
    };
    const model = { id: about.model, name: about.model, api: about.api, provider: about.provider, baseUrl: "", reasoning: false, input: ["text"] };
    const agent = new Agent({
      initialState: { systemPrompt: system, model, tools: [tool] },
      streamFn: streaming(conversation, meter, createAssistantMessageEventStream),
    });
    agent.subscribe(({ assistantMessageEvent: event }) => {
      if (event?.type === "text_delta") characters += event.delta?.length ?? 0;
    });
    await agent.prompt(conversation.prompt);
    if (agent.state.errorMessage !== undefined) throw new Error(agent.state.errorMessage);
    return { characters, calls, kept: agent };
  };
};

function streaming({ turns, answer }: Conversation, meter: Meter, createStream: PiAi["createAssistantMessageEventStream"]): () => unknown {
  let next = 0;
  return () => {
    meter.request();
    const turn = turns[next];
    next += 1;
    const stream = createStream();
    const input = turn?.inputTokens ?? 1_000_000;
    const text = { type: "text", text: "" };
    const content: unknown[] = [];
    const usage = { input, output: outputTokens, cacheRead: 0, cacheWrite: 0, totalTokens: input + outputTokens, cost: { total: 0 } };
    const partial = { role: "assistant", ...about, content, usage, stopReason: turn === undefined ? "stop" : "toolUse", timestamp: Date.now() };
    stream.push({ type: "start", partial });
    content.push(text);
    stream.push({ type: "text_start", contentIndex: 0, partial });
    for (const delta of turn?.deltas ?? answer) {
      text.text += delta;
      stream.push({ type: "text_delta", contentIndex: 0, delta, partial });
    }
    stream.push({ type: "text_end", contentIndex: 0, content: text.text, partial });
    if (turn !== undefined) {
      const toolCall = { type: "toolCall", id: turn.callId, name: toolName, arguments: JSON.parse(turn.input) };
      content.push(toolCall);
      stream.push({ type: "toolcall_end", contentIndex: 1, toolCall, partial });
    }
    stream.push({ type: "done", reason: partial.stopReason, message: partial });
    return stream;
  };
}
