import type { FailureKind } from "../protocol/failure-kind.ts";
import type { Failure } from "./failure.ts";

/** Failures that pass by themselves: overload lasts minutes, an interrupted network may last hours. */
const passing: readonly FailureKind[] = ["rate-limit", "overloaded", "network", "timeout"];

/** Retries of a failure that rarely passes, and of a model that has another one to fall back to. */
const FEW_RETRIES = 3;

/** Whether a failure like this usually passes by itself. */
export function usuallyPasses({ kind, rarelyPasses }: Failure): boolean {
  return passing.includes(kind) && rarelyPasses !== true;
}

/** How often a request that failed in this way is sent again to the same model; 0 if a retry cannot help. */
export function retryLimit(
  failure: Failure,
  { maxRetries, hasFallback }: { readonly maxRetries: number; readonly hasFallback: boolean },
): number {
  if (!failure.isRetryable) return 0;
  return hasFallback || !usuallyPasses(failure) ? Math.min(maxRetries, FEW_RETRIES) : maxRetries;
}
