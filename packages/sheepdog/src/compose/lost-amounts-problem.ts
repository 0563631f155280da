import { findLostAmounts, type Stores } from "@sheepdog/agent";
import type { Policy } from "@sheepdog/guardian";
import { dollars } from "../render/terminal/amounts.ts";

/**
 * Why no run may start: it has a limit on a day or month, and a rebuild could not read all amounts of it. Undefined
 * where the ledger is complete, or the user has entered what was spent.
 */
export async function lostAmountsProblem(stores: Stores, { limits }: Policy, at: number): Promise<string | undefined> {
  for (const within of ["month", "day"] as const) {
    if (!((limits[`${within}-cost`]?.stop ?? 0) > 0)) continue;
    const row = await findLostAmounts(stores, at, within);
    if (row === undefined) continue;
    const found = dollars((await stores.costs.totals(row.sessionId, at))[within] / 1e9);
    const period = within === "month" ? "this month" : "today";
    return (
      `The amounts spent ${period} could not be read from the damaged database, but for ${found}, so the limit ` +
      "cannot be checked. To enter the rest from your provider's bill: " +
      `sheepdog cost settle ${row.id} --amount 0.12 (or --zero)`
    );
  }
  return undefined;
}
