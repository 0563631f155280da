import { peer } from "../peer.ts";

const mastra = peer("mastra");
export const { isInstalled, hint } = mastra;

/** The part of Mastra that the tests use. It is not installed with this repository, as it needs Node 22. */
export interface Mastra {
  readonly Agent: new (settings: object) => MastraAgent;
  readonly RequestContext: new () => object;
  createTool(settings: object): object;
}

interface MastraAgent {
  generate(prompt: string, options: object): Promise<MastraResult>;
  stream(prompt: string, options: object): Promise<{ getFullOutput(): Promise<MastraResult> }>;
}

interface MastraResult {
  readonly text: string;
  readonly tripwire?: { readonly reason: string; readonly metadata?: unknown };
}

export async function loadMastra(): Promise<Mastra> {
  const [agent, tools, context] = await Promise.all(
    ["agent", "tools", "request-context"].map((name) => import(mastra.url(`@mastra/core/dist/${name}/index.js`))),
  );
  return { ...agent, ...tools, ...context };
}

export type Reply = string | readonly { readonly tool: string; readonly args: object }[];

interface PromptMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string; readonly toolCallId?: string }[];
}

export interface ScriptedModel {
  readonly model: object;
  readonly prompts: readonly (readonly PromptMessage[])[];
}

let callCount = 0;

/** A model that makes these replies; each uses 100 tokens. */
export function scriptedModel(replies: readonly Reply[]): ScriptedModel {
  const prompts: PromptMessage[][] = [];
  const next = (prompt: PromptMessage[]) => {
    const reply = replies[prompts.length] ?? "There is no reply left.";
    prompts.push(prompt);
    return typeof reply === "string" ? [{ type: "text", text: reply }] : reply.map(toolCall);
  };
  const usage = { inputTokens: 90, outputTokens: 10, totalTokens: 100 };
  const model = {
    specificationVersion: "v2",
    provider: "test",
    modelId: "scripted",
    supportedUrls: {},
    async doGenerate({ prompt }: { prompt: PromptMessage[] }) {
      const content = next(prompt);
      return { content, finishReason: finishReasonOf(content), usage, warnings: [] };
    },
    async doStream({ prompt }: { prompt: PromptMessage[] }) {
      const content = next(prompt);
      const finish = { type: "finish", finishReason: finishReasonOf(content), usage };
      return { stream: streamOf([{ type: "stream-start", warnings: [] }, ...content.flatMap(asParts), finish]) };
    },
  };
  return { model, prompts };
}

function toolCall({ tool, args }: { readonly tool: string; readonly args: object }) {
  return { type: "tool-call", toolCallId: `c${callCount++}`, toolName: tool, input: JSON.stringify(args) };
}

function finishReasonOf(content: readonly { readonly type: string }[]): string {
  return content.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop";
}

function asParts(part: { readonly type: string; readonly text?: string }): object[] {
  if (part.type !== "text") return [part];
  const id = "text";
  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta: part.text },
    { type: "text-end", id },
  ];
}

function streamOf(parts: readonly object[]): ReadableStream<object> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

/** The texts of the notices in each prompt. */
export function noticesIn({ prompts }: ScriptedModel): string[][] {
  return prompts.map((prompt) =>
    prompt
      .flatMap(({ content }) => (typeof content === "string" ? [content] : content.map(({ text = "" }) => text)))
      .filter((text) => text.startsWith("<sheepdog-notice ")),
  );
}
