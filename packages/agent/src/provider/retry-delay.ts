import type { Failure } from "./failure.ts";

export interface RetryDelayOptions {
  /** Number of failed attempts so far, from 1. */
  readonly failures: number;
  readonly failure: Failure;
  readonly maxWaitMs: number;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
}

const firstWaitMs = 1_000;

/**
 * How long to wait before the next attempt: exponential back-off with full jitter, or the wait that the provider asked
 * for plus up to a tenth, so that refused clients do not return all at once. Never longer than `maxWaitMs`.
 */
export function retryDelayMs({ failures, failure, maxWaitMs, random }: RetryDelayOptions): number {
  const { retryAfterMs } = failure;
  const waitMs =
    retryAfterMs === undefined
      ? random() * Math.min(maxWaitMs, firstWaitMs * 2 ** (failures - 1))
      : retryAfterMs * (1 + random() / 10);
  return Math.round(Math.min(maxWaitMs, Math.max(0, waitMs)));
}
