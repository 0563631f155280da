import type { Failure } from "./failure.ts";

export interface RetryDelayOptions {
  /** Number of failed attempts so far, from 1. */
  readonly failures: number;
  readonly failure: Failure;
  /** The longest wait that is not asked for by the provider. */
  readonly maxWaitMs: number;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
}

const firstWaitMs = 1_000;

/** A provider that asks for a longer wait is mistaken. */
const maxAskedMs = 24 * 60 * 60 * 1_000;

/**
 * How long to wait before the next attempt. Waits double from one second up to `maxWaitMs`, and each is shortened by a
 * random part of up to a half, so that refused clients do not return all at once. A wait of up to a day that the
 * provider asked for is kept, plus up to a tenth, but a second failure waits for a second at least; the run's own time
 * may end a wait earlier.
 */
export function retryDelayMs({ failures, failure, maxWaitMs, random }: RetryDelayOptions): number {
  const { retryAfterMs } = failure;
  if (retryAfterMs !== undefined && retryAfterMs <= maxAskedMs) {
    const leastMs = failures > 1 ? firstWaitMs : 0;
    return Math.round(Math.max(leastMs, retryAfterMs) * (1 + random() / 10));
  }
  const longestMs = Math.min(maxWaitMs, firstWaitMs * 2 ** (failures - 1));
  return Math.round(longestMs * (1 - random() / 2));
}
