import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { getField, getText } from "./field-access.ts";
import type { Model } from "./model.ts";

/** A whole reply of a model that does not stream, as a stream of parts. */
export interface GeneratedStream {
  readonly stream: ReadableStream<unknown>;
  readonly response: unknown;
}

/** Requests a whole reply and returns it as the stream that a model which streams would have sent. */
export async function generateStream(model: Model, call: LanguageModelV3CallOptions): Promise<GeneratedStream> {
  const generate: unknown = getField(model, "doGenerate");
  if (typeof generate !== "function") throw new Error("The model has neither doStream nor doGenerate.");
  const result: unknown = await generate.call(model, call);
  const content = getField(result, "content");
  const parts = [
    ...(Array.isArray(content) ? content.flatMap(toStreamParts) : []),
    { type: "finish", finishReason: getField(result, "finishReason"), usage: getField(result, "usage") },
  ];
  const stream = new ReadableStream<unknown>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
  return { stream, response: getField(result, "response") };
}

/** Whether a model has no `doStream`, or an error says that it does not stream. */
export function cannotStream(model: Model, error?: unknown): boolean {
  if (error === undefined) return typeof getField(model, "doStream") !== "function";
  return (
    /stream(?:ing)?\b.{0,40}\bnot (?:supported|available|implemented)|does not support stream/i.test(
      getText(error, "message"),
    ) || /^stream/i.test(getText(error, "functionality"))
  );
}

/** Texts become one delta; calls and everything else have the same form in a stream. */
function toStreamParts(part: unknown, index: number): readonly unknown[] {
  const type = getField(part, "type");
  if (type !== "text" && type !== "reasoning") return [part];
  const id = `${type}-${index}`;
  const providerMetadata = getField(part, "providerMetadata");
  const metadata = providerMetadata === undefined ? {} : { providerMetadata };
  return [
    { type: `${type}-start`, id },
    { type: `${type}-delta`, id, delta: getText(part, "text") },
    { type: `${type}-end`, id, ...metadata },
  ];
}
