import type { SqliteDatabase } from "@sheepdog/records";
import { dayOf, monthOf } from "../utc.ts";
import type { Sqlite } from "./open-sqlite.ts";

/** Limits read the balances, which must not lack costs that the ledger has: another program may have changed them. */
export async function raiseLowBalances({ safe }: Sqlite): Promise<void> {
  const sumOf = (kind: string) => `coalesce((SELECT sum(spent) FROM balances WHERE kind = '${kind}'), 0)`;
  const lowest = `min(${["session", "day", "month"].map(sumOf).join(", ")})`;
  const areTooLow = safe.database.prepare(`SELECT ${lowest} < coalesce(sum(cost_nano_usd), 0) AS isLow FROM costs`);
  const { isLow } = await safe.read(() => areTooLow.get() as { readonly isLow: number }); // the selected column
  if (isLow === 1) await safe.write(() => raiseBalances(safe.database));
}

/** Adds up the costs. A higher balance stays: rows of costs may have been deleted. */
export function raiseBalances(database: SqliteDatabase): void {
  const balances = new Map<string, { readonly kind: string; readonly name: string; spent: number }>();
  const costs = database
    .prepare("SELECT session_id, at, cost_nano_usd FROM costs WHERE cost_nano_usd > 0 AND at BETWEEN 0 AND 8.64e15")
    .iterate() as Iterable<{ readonly session_id: string; readonly at: number; readonly cost_nano_usd: number }>;
  for (const { session_id, at, cost_nano_usd } of costs)
    for (const [kind, name] of Object.entries({ session: session_id, day: dayOf(at), month: monthOf(at) })) {
      const balance = balances.get(`${kind} ${name}`) ?? { kind, name, spent: 0 };
      balance.spent += cost_nano_usd;
      balances.set(`${kind} ${name}`, balance);
    }
  const insertBalance = database.prepare(
    `INSERT INTO balances (kind, name, spent) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET spent = max(spent, excluded.spent)`,
  );
  for (const { kind, name, spent } of balances.values())
    insertBalance.run(kind, name, Math.min(spent, Number.MAX_SAFE_INTEGER));
}
