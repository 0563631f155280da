import type { SqliteDatabase, SqliteValue } from "@sheepdog/records";
import type { CostStore, CostSum } from "../stores.ts";
import { dayOf, monthOf } from "../utc.ts";
import { allCostRows } from "./cost-ledger.ts";

type By = Parameters<CostStore["sums"]>[0];
type Of = NonNullable<Parameters<CostStore["sums"]>[1]>;

const dayMs = 86_400_000;
/** The number of a day since 1970, which is rounded down before it too. */
const day = `CAST(at / ${dayMs} AS INTEGER) - (CAST(at / ${dayMs} AS INTEGER) > at / ${dayMs})`;
const keys = { session: "session_id", run: "run_id", model: "model", day, month: day } as const satisfies Record<
  By,
  string
>;

/** Sums of the books, by key, in the order of the keys. The rows are added up by SQLite: reading each of them here takes ten times as long. */
export function queryCostSums(database: SqliteDatabase, by: By, { sessionId, since }: Of = {}): readonly CostSum[] {
  const wanted: (readonly [condition: string, value: SqliteValue])[] = [];
  if (sessionId !== undefined) wanted.push(["session_id = ?", sessionId]);
  if (since !== undefined) wanted.push(["at >= ?", since]);
  const where = wanted.length === 0 ? "" : `WHERE ${wanted.map(([condition]) => condition).join(" AND ")}`;
  const sql = `SELECT ${keys[by]} AS key, count(*) AS requests, sum(coalesce(cost_nano_usd, 0)) AS costNanoUsd, sum(input) AS inputTokens, sum(output) AS outputTokens,
      sum(iif(cost_nano_usd IS NULL, input + output, 0)) AS unpricedTokens, sum(iif(state = 'settled', 0, coalesce(cost_nano_usd, 0))) AS uncertainNanoUsd
    FROM (${allCostRows}) ${where} GROUP BY 1`;
  const sums = new Map<string, CostSum>();
  for (const row of database.prepare(sql).all(...wanted.map(([, value]) => value)) as (Omit<CostSum, "key"> & {
    readonly key: string | number;
  })[]) {
    const key = nameOf(row.key, by); // the columns asked for
    sums.set(key, add({ ...row, key }, sums.get(key)));
  }
  return [...sums.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
}

function nameOf(key: string | number, by: By): string {
  if (typeof key === "string") return key;
  return by === "month" ? monthOf(key * dayMs) : dayOf(key * dayMs);
}

function add(one: CostSum, other: CostSum | undefined): CostSum {
  if (other === undefined) return one;
  return {
    key: one.key,
    requests: one.requests + other.requests,
    costNanoUsd: one.costNanoUsd + other.costNanoUsd,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    unpricedTokens: one.unpricedTokens + other.unpricedTokens,
    uncertainNanoUsd: one.uncertainNanoUsd + other.uncertainNanoUsd,
  };
}
