import { getField } from "./field-access.ts";

/** Input tokens in the format of the AI SDK. */
export interface EarlyUsage {
  readonly inputTokens: { readonly total: number; readonly cacheRead?: number; readonly cacheWrite?: number };
}

/** Whether a provider reports the input tokens at the beginning of a stream. Others report them at its end. */
export function reportsUsageEarly(provider: string): boolean {
  return /^(?:anthropic|google)\b/.test(provider);
}

/**
 * The input tokens in a raw event of a stream: Anthropic's `message_start`, or any event of Gemini. Undefined if it has
 * none. The AI SDK reports them with the finish, which a broken stream does not have.
 */
export function readEarlyUsage(rawEvent: unknown): EarlyUsage | undefined {
  return (
    anthropicUsage(getField(getField(rawEvent, "message"), "usage")) ?? geminiUsage(getField(rawEvent, "usageMetadata"))
  );
}

/** Anthropic counts cached tokens separately. */
function anthropicUsage(usage: unknown): EarlyUsage | undefined {
  const input = getField(usage, "input_tokens");
  const cacheRead = count(getField(usage, "cache_read_input_tokens"));
  const cacheWrite = count(getField(usage, "cache_creation_input_tokens"));
  if (typeof input !== "number") return undefined;
  return { inputTokens: { total: input + cacheRead + cacheWrite, cacheRead, cacheWrite } };
}

function geminiUsage(usage: unknown): EarlyUsage | undefined {
  const total = getField(usage, "promptTokenCount");
  if (typeof total !== "number") return undefined;
  return { inputTokens: { total, cacheRead: count(getField(usage, "cachedContentTokenCount")) } };
}

function count(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
