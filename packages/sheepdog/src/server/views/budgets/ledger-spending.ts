import type { CostSum, LedgerEntry, SessionSummary, Stores } from "@sheepdog/agent";
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

/** A reservation older than this counts as spent, as it does for the limits. */
const RESERVATION_MS = 3_600_000;

/** Reads the ledger since a time. All sums are of the same rows, so they have the same total. */
export async function ledgerSpending(
  { costs }: Pick<Stores, "costs">,
  sessions: readonly SessionSummary[],
  { since, now }: { readonly since: number; readonly now: number },
): Promise<LedgerSpending> {
  const bySession = await costs.sums("session", { since });
  const uncertain = (await costs.sums("session", { since: now - RESERVATION_MS })).filter(
    ({ uncertainNanoUsd }) => uncertainNanoUsd > 0,
  );
  const held = sessions.filter(({ holder }) => holder !== undefined);
  const candidates = new Set([...uncertain.map(({ key }) => key), ...held.map(({ sessionId }) => sessionId)]);
  const reserved: LedgerEntry[] = [];
  for (const sessionId of candidates)
    reserved.push(...(await costs.rows(sessionId)).filter((row) => isInProgress(row, now)));
  const inPeriod = reserved.filter(({ at }) => at >= since);
  return {
    days: without(await costs.sums("day", { since }), inPeriod, ({ at }) => utcDay(at)),
    models: without(await costs.sums("model", { since }), inPeriod, ({ model }) => model),
    purposes: without(await costs.sums("purpose", { since }), inPeriod, ({ purpose = "turn" }) => purpose),
    sessions: without(bySession, inPeriod, ({ sessionId }) => sessionId),
    runs: without(await costs.sums("run", { since }), inPeriod, ({ runId }) => runId),
    reserved,
  };
}

function isInProgress({ state, at }: LedgerEntry, now: number): boolean {
  return state === "reserved" && at >= now - RESERVATION_MS;
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
