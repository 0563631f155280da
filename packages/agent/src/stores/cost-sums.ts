import type { CostStore, CostSum, LedgerEntry } from "./stores.ts";
import { dayOf, monthOf } from "./utc.ts";

type By = Parameters<CostStore["sums"]>[0];
type Of = NonNullable<Parameters<CostStore["sums"]>[1]>;

/** Sums of rows of the books, by key. */
export function sumCosts(rows: Iterable<LedgerEntry>, by: By, { sessionId, since }: Of): readonly CostSum[] {
  const sums = new Map<string, CostSum>();
  for (const row of rows) {
    if ((sessionId !== undefined && row.sessionId !== sessionId) || (since !== undefined && row.at < since)) continue;
    const key = keyOf(row, by);
    sums.set(key, add(sums.get(key) ?? nothing(key), row));
  }
  return [...sums.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
}

function keyOf(row: LedgerEntry, by: By): string {
  switch (by) {
    case "session":
      return row.sessionId;
    case "run":
      return row.runId;
    case "model":
      return row.model;
    case "day":
      return dayOf(row.at);
    case "month":
      return monthOf(row.at);
    default:
      return by satisfies never;
  }
}

function nothing(key: string): CostSum {
  return { key, requests: 0, costNanoUsd: 0, inputTokens: 0, outputTokens: 0, unpricedTokens: 0, uncertainNanoUsd: 0 };
}

function add(sum: CostSum, { usage, costNanoUsd, state }: LedgerEntry): CostSum {
  return {
    key: sum.key,
    requests: sum.requests + 1,
    costNanoUsd: sum.costNanoUsd + (costNanoUsd ?? 0),
    inputTokens: sum.inputTokens + usage.input,
    outputTokens: sum.outputTokens + usage.output,
    unpricedTokens: sum.unpricedTokens + (costNanoUsd === null ? usage.input + usage.output : 0),
    uncertainNanoUsd: sum.uncertainNanoUsd + (state === "settled" ? 0 : (costNanoUsd ?? 0)),
  };
}
