import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";

/**
 * The language model port: the AI SDK's specification, version 3 or 4. Both have the same calls and parts as far as
 * they are used here; parts that a version adds are ignored.
 */
export type Model = LanguageModelV3 | ModelV4;

/** The part of version 4 that is used here. */
export interface ModelV4 {
  readonly specificationVersion: "v4";
  readonly provider: string;
  readonly modelId: string;
  doStream(
    options: LanguageModelV3CallOptions,
  ): PromiseLike<{ readonly stream: ReadableStream<LanguageModelV3StreamPart | { readonly type: "ping" }> }>;
}
