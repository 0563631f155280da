import type { LanguageModelV3CallOptions, LanguageModelV3FunctionTool, LanguageModelV3Prompt } from "@ai-sdk/provider";
import type { MessageCache } from "../protocol/message-cache.ts";
import { callsOf, type Message } from "../protocol/messages.ts";
import type { ResponseSchema } from "../protocol/response-schema.ts";
import type { ToolDefinition } from "../protocol/tool-definition.ts";
import { reportsUsageEarly } from "./early-usage.ts";
import type { Model } from "./model.ts";
import { toPrompt } from "./prompt.ts";

/** What a model is sent. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly maxOutputTokens: number;
  /** The reply is one JSON object of this form. Servers that do not know it refuse the request, or ignore it. */
  readonly responseSchema?: ResponseSchema;
}

export interface PrepareOptions {
  /** Holds converted messages between the requests of a conversation; default: nothing is reused. */
  readonly cache?: MessageCache;
  /** Ids of all calls of the session; default: the calls of the messages. */
  readonly usedCallIds?: ReadonlySet<string>;
}

/** A request in the AI SDK's format: the same for every attempt and model. */
export interface PreparedRequest {
  readonly prompt: LanguageModelV3Prompt;
  readonly tools: LanguageModelV3FunctionTool[];
  readonly maxOutputTokens: number;
  readonly responseSchema?: ResponseSchema;
  readonly usedCallIds: ReadonlySet<string>;
}

/** Converts a request to the AI SDK's format. */
export function prepareRequest(
  { system, messages, tools, maxOutputTokens, responseSchema }: ModelRequest,
  { cache, usedCallIds = callIdsIn(messages) }: PrepareOptions,
): PreparedRequest {
  return {
    prompt: toPrompt({ system, messages, ...(cache === undefined ? {} : { cache }) }),
    tools: tools.map((tool) => ({ type: "function", ...tool })),
    maxOutputTokens,
    ...(responseSchema === undefined ? {} : { responseSchema }),
    usedCallIds,
  };
}

/** The arguments of a model's `doStream`. */
export function toCallOptions(
  { prompt, tools, maxOutputTokens, responseSchema }: PreparedRequest,
  { provider }: Model,
  abortSignal: AbortSignal,
): LanguageModelV3CallOptions & { readonly abortSignal: AbortSignal } {
  return {
    prompt,
    maxOutputTokens,
    abortSignal,
    ...(tools.length === 0 ? {} : { tools }),
    ...(responseSchema === undefined ? {} : { responseFormat: { type: "json", ...responseSchema } }),
    ...(reportsUsageEarly(provider) ? { includeRawChunks: true } : {}),
    // The history is stored here: OpenAI must neither store it nor refer to stored items, which expire.
    ...(provider === "openai.responses" ? { providerOptions: { openai: { store: false } } } : {}),
  };
}

function callIdsIn(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) => (message.role === "assistant" ? callsOf(message).map(({ id }) => id) : [])),
  );
}
