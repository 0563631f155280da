import type { CostSum, LedgerEntry, Stores } from "@sheepdog/agent";
import { utcDay } from "./noticed-loops.ts";

/** Money spent since a time, without what is reserved for requests in progress. */
export interface LedgerSpending {
  readonly days: readonly CostSum[];
  readonly models: readonly CostSum[];
  readonly purposes: readonly CostSum[];
  readonly sessions: readonly CostSum[];
  readonly runs: readonly CostSum[];
  /** Requests in progress, of any time. */
  readonly reserved: readonly LedgerEntry[];
}

/** Reads the ledger since a time. All sums are of the same rows, so they have the same total. */
export async function ledgerSpending(
  { costs }: Pick<Stores, "costs">,
  { since, now }: { readonly since: number; readonly now: number },
): Promise<LedgerSpending> {
  const reserved = await costs.reserved(now);
  const filter = { since, at: now };
  const inPeriod = reserved.filter(({ at }) => at >= since);
  return {
    days: without(await costs.sums("day", filter), inPeriod, ({ at }) => utcDay(at)),
    models: without(await costs.sums("model", filter), inPeriod, ({ model }) => model),
    purposes: without(await costs.sums("purpose", filter), inPeriod, ({ purpose = "turn" }) => purpose),
    sessions: without(await costs.sums("session", filter), inPeriod, ({ sessionId }) => sessionId),
    runs: without(await costs.sums("run", filter), inPeriod, ({ runId }) => runId),
    reserved,
  };
}

function without(
  sums: readonly CostSum[],
  reserved: readonly LedgerEntry[],
  keyOf: (row: LedgerEntry) => string,
): readonly CostSum[] {
  return sums.flatMap((sum) => {
    const rows = reserved.filter((row) => keyOf(row) === sum.key);
    if (rows.length === 0) return [sum];
    if (rows.length >= sum.requests) return [];
    const costNanoUsd = sum.costNanoUsd - rows.reduce((total, row) => total + (row.costNanoUsd ?? 0), 0);
    const unpriced = rows.filter((row) => row.costNanoUsd === null);
    const tokens = unpriced.reduce((total, { usage }) => total + usage.input + usage.output, 0);
    return [
      {
        ...sum,
        requests: sum.requests - rows.length,
        costNanoUsd: Math.max(0, costNanoUsd),
        unpricedTokens: Math.max(0, sum.unpricedTokens - tokens),
      },
    ];
  });
}

/** The total of sums in nano-dollars. */
export function totalNanoUsd(sums: readonly Pick<CostSum, "costNanoUsd">[]): number {
  return sums.reduce((total, { costNanoUsd }) => total + costNanoUsd, 0);
}
