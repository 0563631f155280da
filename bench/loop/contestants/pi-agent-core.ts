import { fromPeer, type Open } from "../contestant.ts";
import { type Conversation, outputTokens, system, toolDescription, toolName } from "../conversation.ts";
import type { Meter } from "../meter.ts";
import { type ScriptedModel, scriptedModel } from "../scripted-model.ts";

/** What is used of `@mariozechner/pi-agent-core`. */
interface PiAgent {
  readonly Agent: new (
    options: unknown,
  ) => {
    readonly state: { readonly errorMessage?: string };
    subscribe(
      listener: (event: {
        readonly type: string;
        readonly assistantMessageEvent?: { readonly type: string; readonly delta?: string };
      }) => void,
    ): void;
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

/** The `Agent` of pi with a stream function that reads the same stream as everybody. */
export const openPi: Open = async () => {
  const { Agent } = await fromPeer<PiAgent>("pi-agent-core/node_modules/@mariozechner/pi-agent-core/dist/index.js");
  const { createAssistantMessageEventStream } = await fromPeer<PiAi>(
    "pi-agent-core/node_modules/@mariozechner/pi-ai/dist/index.js",
  );
  const { Type } = await fromPeer<Typebox>("pi-agent-core/node_modules/typebox/build/index.mjs");
  const parameters = Type.Object({ path: Type.String() });
  return async (conversation, meter) => {
    const results = new Map(conversation.turns.map(({ path, result }) => [path, result]));
    let characters = 0;
    let calls = 0;
    const tool = {
      name: toolName,
      label: toolName,
      description: toolDescription,
      parameters,
      async execute(_id: string, { path }: { readonly path: string }) {
        calls += 1;
        return { content: [{ type: "text", text: results.get(path) ?? "" }], details: {} };
      },
    };
    const model = {
      id: about.model,
      name: about.model,
      api: about.api,
      provider: about.provider,
      baseUrl: "",
      reasoning: false,
      input: ["text"],
    };
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

/** As the providers of `pi-ai` do it: a stream is read to its end, and what it says is told as events of their own kind. */
function streaming(
  conversation: Conversation,
  meter: Meter,
  createStream: PiAi["createAssistantMessageEventStream"],
): () => unknown {
  const scripted = scriptedModel(conversation, meter);
  return () => {
    const stream = createStream();
    void tell(scripted, stream);
    return stream;
  };
}

async function tell(scripted: ScriptedModel, told: { push(event: unknown): void }): Promise<void> {
  const text = { type: "text", text: "" };
  const content: unknown[] = [];
  const usage = { input: 0, output: outputTokens, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: { total: 0 } };
  const partial = { role: "assistant", ...about, content, usage, stopReason: "stop", timestamp: Date.now() };
  const { stream } = await scripted.doStream({ prompt: undefined });
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const part = read.value as ScriptedPart;
    if (part.type === "stream-start") told.push({ type: "start", partial });
    if (part.type === "text-start") {
      content.push(text);
      told.push({ type: "text_start", contentIndex: 0, partial });
    }
    if (part.type === "text-delta") {
      text.text += part.delta;
      told.push({ type: "text_delta", contentIndex: 0, delta: part.delta, partial });
    }
    if (part.type === "text-end") told.push({ type: "text_end", contentIndex: 0, content: text.text, partial });
    if (part.type === "tool-call") {
      const toolCall = { type: "toolCall", id: part.toolCallId, name: toolName, arguments: JSON.parse(part.input) };
      partial.stopReason = "toolUse";
      content.push(toolCall);
      told.push({ type: "toolcall_end", contentIndex: 1, toolCall, partial });
    }
    if (part.type === "finish") {
      usage.input = part.usage.inputTokens.total;
      usage.totalTokens = usage.input + outputTokens;
    }
  }
  told.push({ type: "done", reason: partial.stopReason, message: partial });
}

/** The parts of a scripted stream that say something. */
type ScriptedPart =
  | { readonly type: "stream-start" | "text-start" | "text-end" }
  | { readonly type: "text-delta"; readonly delta: string }
  | { readonly type: "tool-call"; readonly toolCallId: string; readonly input: string }
  | { readonly type: "finish"; readonly usage: { readonly inputTokens: { readonly total: number } } };
