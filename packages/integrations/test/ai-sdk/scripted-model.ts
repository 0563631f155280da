import type { LanguageModel } from "ai";

/** A call that the model makes. */
export interface ScriptedCall {
  readonly tool: string;
  readonly input: unknown;
}

/** A reply: calls, or a text that ends the run. */
export type Reply = readonly ScriptedCall[] | string;

/** A message of a prompt as a provider gets it. */
export interface PromptMessage {
  readonly role: string;
  readonly content: unknown;
}

export interface ScriptedModel {
  readonly model: Exclude<LanguageModel, string>;
  /** The prompts of all requests. */
  readonly prompts: readonly (readonly PromptMessage[])[];
}

const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 10, text: 10, reasoning: 0 },
};

/** A model that gives these replies in turn, and "Done." after them; each request uses 110 tokens. */
export function scriptedModel(version: "v3" | "v4", replies: readonly Reply[]): ScriptedModel {
  const prompts: (readonly PromptMessage[])[] = [];
  const nextReply = (prompt: readonly PromptMessage[]) => {
    prompts.push(structuredClone(prompt));
    const reply = replies[prompts.length - 1] ?? "Done.";
    const calls = typeof reply === "string" ? [] : reply;
    const content = calls.map(({ tool, input }, index) => ({
      type: "tool-call",
      toolCallId: `call_${prompts.length}_${index}`,
      toolName: tool,
      input: JSON.stringify(input),
    }));
    const finishReason = calls.length > 0 ? finish("tool-calls") : finish("stop");
    return { text: typeof reply === "string" ? reply : "", content, finishReason };
  };
  const model = {
    specificationVersion: version,
    provider: "scripted",
    modelId: "scripted-1",
    supportedUrls: {},
    async doGenerate({ prompt }: { readonly prompt: readonly PromptMessage[] }) {
      const { text, content, finishReason } = nextReply(prompt);
      const texts = text === "" ? [] : [{ type: "text", text }];
      return { content: [...texts, ...content], finishReason, usage, warnings: [] };
    },
    async doStream({ prompt }: { readonly prompt: readonly PromptMessage[] }) {
      const { text, content, finishReason } = nextReply(prompt);
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue({ type: "stream-start", warnings: [] });
          if (text !== "") {
            controller.enqueue({ type: "text-start", id: "0" });
            controller.enqueue({ type: "text-delta", id: "0", delta: text });
            controller.enqueue({ type: "text-end", id: "0" });
          }
          for (const part of content) controller.enqueue(part);
          controller.enqueue({ type: "finish", finishReason, usage });
          controller.close();
        },
      });
      return { stream };
    },
  };
  return { model: model as unknown as ScriptedModel["model"], prompts }; // all fields that both versions read
}

function finish(unified: string): { readonly unified: string; readonly raw: string } {
  return { unified, raw: unified };
}
