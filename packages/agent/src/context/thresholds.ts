/** Above this share of the context, memory is flushed and messages are compacted. */
export const compactPercent = 85;

/**
 * The share that compaction aims for. Each compaction invalidates the provider's prompt cache, may cost a request for a
 * summary, and loses information. So it frees a quarter of the context for many turns instead of a few tokens for one.
 */
export const targetPercent = 60;

/** How many of the newest messages are kept if they fit. */
export const defaultMinTail = 6;

/** The number of tokens in a share of the context. */
export function percentOf(maxTokens: number, percent: number): number {
  return Math.floor((maxTokens * percent) / 100);
}

/** How full a context is; 0 for a context without a limit. */
export function shareOf(maxTokens: number, tokens: number): number {
  return maxTokens === 0 ? 0 : (tokens / maxTokens) * 100;
}

/** Throws if a context size is not a whole number of tokens. 0 is a context without a limit. */
export function checkMaxTokens(maxTokens: number): void {
  if (Number.isSafeInteger(maxTokens) && maxTokens >= 0) return;
  throw new RangeError(`maxTokens must be a whole number of tokens, such as 32000, or 0; it is ${maxTokens}.`);
}
