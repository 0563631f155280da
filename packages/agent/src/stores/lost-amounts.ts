import { noUsage } from "../protocol/usage.ts";
import type { Holder, LedgerEntry, Stores } from "./stores.ts";
import { dayOf, monthOf } from "./utc.ts";

const sessionId = "lost-amounts";

/**
 * Enters an unconfirmed row without an amount into the ledger, for amounts of its day and month that a rebuild could
 * not read. It stays until the user settles it with what was spent.
 */
export async function recordLostAmounts(
  { costs, sessions }: Stores,
  { at, holder }: { readonly at: number; readonly holder: Holder },
): Promise<void> {
  const id = `lost_${new Date(at).toISOString().replace(/[:.]/g, "-")}`;
  await costs.reserve({ id, sessionId, runId: id, model: "unknown", at, usage: noUsage, costNanoUsd: null }, {});
  const claim = await sessions.claim(sessionId, holder, at); // marks the reservation as unconfirmed
  if (claim.ok) await sessions.release(claim.lease);
}

/** Whether an unconfirmed row stands for lost amounts, and not for a request. */
export function isLostAmounts(row: Pick<LedgerEntry, "sessionId">): boolean {
  return row.sessionId === sessionId;
}

/** The row of lost amounts that nobody has settled: of the month of a time, or only of its day. */
export async function findLostAmounts(
  { costs }: Stores,
  at: number,
  within: "day" | "month",
): Promise<LedgerEntry | undefined> {
  const nameOf = within === "day" ? dayOf : monthOf;
  const rows = await costs.unconfirmed();
  return rows.find((row) => isLostAmounts(row) && row.state === "unconfirmed" && nameOf(row.at) === nameOf(at));
}
