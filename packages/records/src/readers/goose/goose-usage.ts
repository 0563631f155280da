import type { JsonObject } from "../../trajectory/json-fields.ts";
import type { RecordedUsage } from "../../trajectory/recorded-run.ts";
import { dollarsField, optional, tokensField } from "../fields.ts";

/** The usage in a row of the table `usage_ledger`: the input contains the cached tokens, the output the reasoning. */
export function gooseUsage(row: JsonObject, request: string): RecordedUsage | undefined {
  return usageOf(row, "", request);
}

/** The sum of a session; of its last request in versions that keep no sum. */
export function sessionUsage(session: JsonObject, request: string): RecordedUsage | undefined {
  const sum = usageOf(session, "accumulated_", request);
  return sum === undefined ? usageOf(session, "", request) : { ...sum, isSum: true };
}

function usageOf(row: JsonObject, prefix: string, request: string): RecordedUsage | undefined {
  const tokens = (name: string) => tokensField(row[`${prefix}${name}_tokens`]);
  const [inputTokens = 0, outputTokens = 0] = [tokens("input"), tokens("output")];
  if (inputTokens + outputTokens === 0) return undefined;
  return {
    inputTokens,
    ...optional("cacheReadTokens", tokens("cache_read") || undefined),
    ...optional("cacheWriteTokens", tokens("cache_write") || undefined),
    outputTokens,
    ...optional("costUsd", dollarsField(row[`${prefix}cost`]) || undefined),
    request,
  };
}
