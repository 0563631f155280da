import type { CostStore, CostSum, LedgerEntry } from "./stores.ts";
import { dayOf, monthOf } from "./utc.ts";

type SumKey = Parameters<CostStore["sums"]>[0];
type SumFilter = NonNullable<Parameters<CostStore["sums"]>[1]>;

/** Adds up ledger rows by key, sorted by key. */
export function sumCosts(rows: Iterable<LedgerEntry>, by: SumKey, { sessionId, since }: SumFilter): readonly CostSum[] {
  const sums = new Map<string, CostSum>();
  for (const row of rows) {
    if ((sessionId !== undefined && row.sessionId !== sessionId) || (since !== undefined && row.at < since)) continue;
    const key = keyOf(row, by);
    sums.set(key, addRow(sums.get(key) ?? emptySum(key), row));
  }
  return [...sums.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function keyOf(row: LedgerEntry, by: SumKey): string {
  switch (by) {
    case "session":
      return row.sessionId;
    case "run":
      return row.runId;
    case "model":
      return row.model;
    case "purpose":
      return row.purpose ?? "turn";
    case "day":
      return dayOf(row.at);
    case "month":
      return monthOf(row.at);
    default:
      return by satisfies never;
  }
}

function emptySum(key: string): CostSum {
  return {
    key,
    requests: 0,
    costNanoUsd: 0,
    inputTokens: 0,
    outputTokens: 0,
    unpricedTokens: 0,
    uncertainNanoUsd: 0,
    estimatedRequests: 0,
  };
}

function addRow(sum: CostSum, { usage, costNanoUsd, state }: LedgerEntry): CostSum {
  return {
    key: sum.key,
    requests: sum.requests + 1,
    costNanoUsd: sum.costNanoUsd + (costNanoUsd ?? 0),
    inputTokens: sum.inputTokens + usage.input,
    outputTokens: sum.outputTokens + usage.output,
    unpricedTokens: sum.unpricedTokens + (costNanoUsd === null ? usage.input + usage.output : 0),
    uncertainNanoUsd: sum.uncertainNanoUsd + (state === "settled" ? 0 : (costNanoUsd ?? 0)),
    estimatedRequests: sum.estimatedRequests + (state === "settled" && usage.isEstimated ? 1 : 0),
  };
}
