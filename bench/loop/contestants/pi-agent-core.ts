import { fromPeer, type Load } from "../contestant.ts";
import { type Conversation, outputTokens, system, toolDescription, toolName } from "../conversation.ts";
import type { Meter } from "../meter.ts";
import { type ScriptedModel, scriptedModel } from "../scripted-model.ts";
import { createReadTool } from "./read-tool.ts";

/** The part of `@mariozechner/pi-agent-core` that is used. */
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

/** The part of `@mariozechner/pi-ai` that is used. */
interface PiAi {
  createAssistantMessageEventStream(): { push(event: unknown): void };
}

interface Typebox {
  readonly Type: { Object(shape: unknown): unknown; String(): unknown };
}

const modelInfo = { api: "scripted", provider: "scripted", model: "scripted" };

/** The `Agent` of pi with a stream function that reads the same scripted stream as the other contestants. */
export const loadPi: Load = async () => {
  const { Agent } = await fromPeer<PiAgent>("pi-agent-core/node_modules/@mariozechner/pi-agent-core/dist/index.js");
  const { createAssistantMessageEventStream } = await fromPeer<PiAi>(
    "pi-agent-core/node_modules/@mariozechner/pi-ai/dist/index.js",
  );
  const { Type } = await fromPeer<Typebox>("pi-agent-core/node_modules/typebox/build/index.mjs");
  const parameters = Type.Object({ path: Type.String() });
  return async (conversation, meter) => {
    const { execute, calls } = createReadTool(conversation);
    let characters = 0;
    const tool = {
      name: toolName,
      label: toolName,
      description: toolDescription,
      parameters,
      execute: async (_id: string, input: { readonly path: string }) => ({
        content: [{ type: "text", text: await execute(input) }],
        details: {},
      }),
    };
    const model = {
      id: modelInfo.model,
      name: modelInfo.model,
      api: modelInfo.api,
      provider: modelInfo.provider,
      baseUrl: "",
      reasoning: false,
      input: ["text"],
    };
    const agent = new Agent({
      initialState: { systemPrompt: system, model, tools: [tool] },
      streamFn: streamFunction(conversation, meter, createAssistantMessageEventStream),
    });
    agent.subscribe(({ assistantMessageEvent: event }) => {
      if (event?.type === "text_delta") characters += event.delta?.length ?? 0;
    });
    await agent.prompt(conversation.prompt);
    if (agent.state.errorMessage !== undefined) throw new Error(agent.state.errorMessage);
    return { characters, calls: calls(), retained: agent };
  };
};

/** Reads a stream to its end and emits events of pi's own kind, as the providers of `pi-ai` do. */
function streamFunction(
  conversation: Conversation,
  meter: Meter,
  createStream: PiAi["createAssistantMessageEventStream"],
): () => unknown {
  const scripted = scriptedModel(conversation, meter);
  return () => {
    const stream = createStream();
    void emitEvents(scripted, stream);
    return stream;
  };
}

async function emitEvents(scripted: ScriptedModel, events: { push(event: unknown): void }): Promise<void> {
  const text = { type: "text", text: "" };
  const content: unknown[] = [];
  const usage = { input: 0, output: outputTokens, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: { total: 0 } };
  const partial = { role: "assistant", ...modelInfo, content, usage, stopReason: "stop", timestamp: Date.now() };
  const { stream } = await scripted.doStream({ prompt: undefined });
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const part = read.value as ScriptedPart; // as scriptedModel streams them
    if (part.type === "stream-start") events.push({ type: "start", partial });
    if (part.type === "text-start") {
      content.push(text);
      events.push({ type: "text_start", contentIndex: 0, partial });
    }
    if (part.type === "text-delta") {
      text.text += part.delta;
      events.push({ type: "text_delta", contentIndex: 0, delta: part.delta, partial });
    }
    if (part.type === "text-end") events.push({ type: "text_end", contentIndex: 0, content: text.text, partial });
    if (part.type === "tool-call") {
      const toolCall = { type: "toolCall", id: part.toolCallId, name: toolName, arguments: JSON.parse(part.input) };
      partial.stopReason = "toolUse";
      content.push(toolCall);
      events.push({ type: "toolcall_end", contentIndex: 1, toolCall, partial });
    }
    if (part.type === "finish") {
      usage.input = part.usage.inputTokens.total;
      usage.totalTokens = usage.input + outputTokens;
    }
  }
  events.push({ type: "done", reason: partial.stopReason, message: partial });
}

/** The parts of a scripted stream that become events. */
type ScriptedPart =
  | { readonly type: "stream-start" | "text-start" | "text-end" }
  | { readonly type: "text-delta"; readonly delta: string }
  | { readonly type: "tool-call"; readonly toolCallId: string; readonly input: string }
  | { readonly type: "finish"; readonly usage: { readonly inputTokens: { readonly total: number } } };
