import type { SqliteDatabase, SqliteValue } from "@sheepdog/records";
import { sumCosts } from "../cost-sums.ts";
import type { CostStore, CostSum, LedgerEntry } from "../stores.ts";
import { dayOf, monthOf } from "../utc.ts";
import { finishedCostRows } from "./cost-ledger.ts";

type SumKey = Parameters<CostStore["sums"]>[0];
type SumFilter = NonNullable<Parameters<CostStore["sums"]>[1]>;

/**
 * Sums of the cost ledger, sorted by key. SQLite adds up the finished rows, which is ten times faster than reading each
 * row. Few requests are `open`.
 */
export function queryCostSums(
  database: SqliteDatabase,
  open: readonly LedgerEntry[],
  by: SumKey,
  filter: SumFilter = {},
): readonly CostSum[] {
  const { sessionId, since } = filter;
  const conditions: (readonly [sql: string, value: SqliteValue])[] = [];
  if (sessionId !== undefined) conditions.push(["session_id = ?", sessionId]);
  if (since !== undefined) conditions.push(["at >= ?", since]);
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.map(([sql]) => sql).join(" AND ")}`;
  const sql = `SELECT ${keyColumns[by]} AS key, count(*) AS requests, sum(coalesce(cost_nano_usd, 0)) AS costNanoUsd,
      sum(input) AS inputTokens, sum(output) AS outputTokens,
      sum(iif(cost_nano_usd IS NULL, input + output, 0)) AS unpricedTokens,
      sum(iif(state = 'settled', 0, coalesce(cost_nano_usd, 0))) AS uncertainNanoUsd,
      sum(iif(state = 'settled', is_estimated, 0)) AS estimatedRequests
    FROM (${finishedCostRows}) ${where} GROUP BY 1`;
  const rows = database.prepare(sql).all(...conditions.map(([, value]) => value)) as SumRow[]; // the selected columns
  const sums = new Map<string, CostSum>();
  for (const row of rows) {
    const key = keyName(row.key, by);
    sums.set(key, addSums({ ...row, key }, sums.get(key))); // the days of a month have one key
  }
  for (const sum of sumCosts(open, by, filter)) sums.set(sum.key, addSums(sum, sums.get(sum.key)));
  return [...sums.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

const dayMs = 86_400_000;

/** The number of the day since 1970, rounded down for times before 1970 too. */
const dayNumber = `CAST(at / ${dayMs} AS INTEGER) - (CAST(at / ${dayMs} AS INTEGER) > at / ${dayMs})`;

const keyColumns = {
  session: "session_id",
  run: "run_id",
  model: "model",
  purpose: "purpose",
  day: dayNumber,
  month: dayNumber,
} as const satisfies Record<SumKey, string>;

interface SumRow extends Omit<CostSum, "key"> {
  readonly key: string | number;
}

function keyName(key: string | number, by: SumKey): string {
  if (typeof key === "string") return key;
  return by === "month" ? monthOf(key * dayMs) : dayOf(key * dayMs);
}

function addSums(a: CostSum, b: CostSum | undefined): CostSum {
  if (b === undefined) return a;
  return {
    key: a.key,
    requests: a.requests + b.requests,
    costNanoUsd: a.costNanoUsd + b.costNanoUsd,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    unpricedTokens: a.unpricedTokens + b.unpricedTokens,
    uncertainNanoUsd: a.uncertainNanoUsd + b.uncertainNanoUsd,
    estimatedRequests: a.estimatedRequests + b.estimatedRequests,
  };
}
