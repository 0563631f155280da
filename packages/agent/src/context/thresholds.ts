/** From this share of the context on memory is flushed and the messages are compacted. */
export const compactPercent = 85;

/**
 * Where compaction aims. Well below the mark that sets it off: each compaction costs the provider's prompt cache, perhaps a request for a summary, and
 * some of what the model knew, so a quarter of the context is made free for the turns to come instead of a few tokens for the next one.
 */
export const aimPercent = 60;

/** How many of the newest messages are kept where there is room for them. */
export const defaultMinTail = 6;

/** The tokens of a share. */
export function shareOf(maxTokens: number, percent: number): number {
  return Math.floor((maxTokens * percent) / 100);
}

/** Throws where a context size makes no sense. */
export function checkMaxTokens(maxTokens: number): void {
  if (Number.isSafeInteger(maxTokens) && maxTokens > 0) return;
  throw new RangeError(`maxTokens has to be a whole number of tokens above 0, such as 32000; it is ${maxTokens}.`);
}
