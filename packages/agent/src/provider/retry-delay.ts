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

/** Node fires a longer timer at once. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * How long to wait before the next attempt. Waits double from one second up to `maxWaitMs`, and each is shortened by a
 * random part of up to a half, so that refused clients do not return all at once. A wait that the provider asked for is
 * kept, however long it is, plus up to a tenth; the run's own time ends it.
 */
export function retryDelayMs({ failures, failure, maxWaitMs, random }: RetryDelayOptions): number {
  const { retryAfterMs } = failure;
  if (retryAfterMs !== undefined)
    return Math.round(Math.min(maxTimerMs, Math.max(0, retryAfterMs * (1 + random() / 10))));
  const longestMs = Math.min(maxWaitMs, firstWaitMs * 2 ** (failures - 1));
  return Math.round(longestMs * (1 - random() / 2));
}
