import type { Failure } from "./failure.ts";

export interface BackOff {
  /** How many attempts failed before this wait, from 1. */
  readonly failed: number;
  readonly failure: Failure;
  readonly maxWaitMs: number;
  /** From 0 up to 1. */
  readonly random: () => number;
}

const firstWaitMs = 1_000;

/**
 * How long to wait before the next attempt: as long as the provider asked for and up to a tenth more, so that not all who were refused come back at once;
 * else exponentially longer with full jitter. Never longer than `maxWaitMs`.
 */
export function waitBeforeRetry({ failed, failure, maxWaitMs, random }: BackOff): number {
  const asked = failure.retryAfterMs;
  const wait =
    asked === undefined ? random() * Math.min(maxWaitMs, firstWaitMs * 2 ** (failed - 1)) : asked * (1 + random() / 10);
  return Math.round(Math.min(maxWaitMs, Math.max(0, wait)));
}
