import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";

/**
 * The language model port: the AI SDK's specification. Version 4 has the same calls and parts as far as the loop uses them, so a model of either will do;
 * parts that a version adds are passed over.
 */
export type Model = LanguageModelV3 | ModelV4;

/** Version 4, by the structure that is used of it. */
export interface ModelV4 {
  readonly specificationVersion: "v4";
  readonly provider: string;
  readonly modelId: string;
  doStream(
    options: LanguageModelV3CallOptions,
  ): PromiseLike<{ readonly stream: ReadableStream<LanguageModelV3StreamPart | { readonly type: "ping" }> }>;
}
