import type { FailureKind } from "../protocol/failure-kind.ts";
import type { Failure } from "./failure.ts";

/** Failures that pass by themselves: overload lasts minutes, an interrupted network may last hours. */
const passing: readonly FailureKind[] = ["rate-limit", "overloaded", "network", "timeout"];

/** Retries of a failure that rarely passes, and of a model that has another one to fall back to. */
const FEW_RETRIES = 3;

/** How often a request that failed in this way is sent again to the same model; 0 if a retry cannot help. */
export function retryLimit(
  { kind, isRetryable }: Failure,
  { maxRetries, hasFallback }: { readonly maxRetries: number; readonly hasFallback: boolean },
): number {
  if (!isRetryable) return 0;
  return hasFallback || !passing.includes(kind) ? Math.min(maxRetries, FEW_RETRIES) : maxRetries;
}
