import type { RecordedUsage } from "../trajectory/recorded-run.ts";
import { optional } from "./fields.ts";

/** The sum of two requests. It has a cost only when both have one. */
export function addUsage(one: RecordedUsage, other: RecordedUsage): RecordedUsage {
  const sum = (name: "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens" | "cacheWrite1hTokens") =>
    (one[name] ?? 0) + (other[name] ?? 0);
  const { costUsd: _, ...rest } = one;
  const hasCosts = one.costUsd !== undefined && other.costUsd !== undefined;
  return {
    ...rest,
    inputTokens: sum("inputTokens"),
    ...optional("cacheReadTokens", sum("cacheReadTokens") || undefined),
    ...optional("cacheWriteTokens", sum("cacheWriteTokens") || undefined),
    ...optional("cacheWrite1hTokens", sum("cacheWrite1hTokens") || undefined),
    outputTokens: sum("outputTokens"),
    ...optional("costUsd", hasCosts ? (one.costUsd ?? 0) + (other.costUsd ?? 0) : undefined),
    isSum: true,
  };
}
