import { checkStoredName } from "./stored-name.ts";
import type { CostRow, MoneyLimits, PossibleUse } from "./stores.ts";
import { dayOf } from "./utc.ts";

/** How long a reservation may wait to be settled if it is unknown whether its process is running. */
const reservationMs = 3_600_000;

/** The spent and the reserved amount of a session, a day or a month. */
export interface Balance {
  readonly spent: number;
  readonly reserved: number;
}

/** The first limit that refuses a request; undefined when all of them allow it. */
export function refusingLimit(
  balances: Readonly<Record<keyof MoneyLimits, Balance>>,
  costNanoUsd: number,
  limits: MoneyLimits,
): keyof MoneyLimits | undefined {
  const names = ["session", "day", "month"] as const;
  return names.find((name) => refuses(limits[name], balances[name], costNanoUsd));
}

function refuses(limit: number | undefined, { spent, reserved }: Balance, costNanoUsd: number): boolean {
  return limit !== undefined && limit > 0 && spent + reserved + costNanoUsd > limit;
}

/** Throws when a row has an invalid amount or time, or names that cannot be stored. */
export function checkCost({ costNanoUsd, sessionId, id, runId, model, at }: CostRow): void {
  if (costNanoUsd !== null && !(Number.isSafeInteger(costNanoUsd) && costNanoUsd >= 0))
    throw new Error(`Expected a cost in whole nano-dollars, got ${costNanoUsd}.`);
  checkStoredName("id of a session", sessionId);
  checkStoredName("id of a request", id);
  checkStoredName("id of a run", runId);
  checkStoredName("name of a model", model);
  dayOf(at); // throws for an invalid time
}

/** Whether nothing will settle a reservation any more: its process has ended, or at a time it has waited too long. */
export function isLost(
  { row, hasEnded }: { readonly row: Pick<CostRow, "at">; readonly hasEnded: boolean },
  at?: number,
): boolean {
  return hasEnded || (at !== undefined && row.at < at - reservationMs);
}

/** By time, then by id. */
export function byTime(one: CostRow, other: CostRow): number {
  return one.at - other.at || (one.id < other.id ? -1 : 1);
}

/** A reserved row as it counts once its process has ended: with what it can have used, if that is less. */
export function unconfirmedRow<Row extends CostRow>(row: Row, possible: PossibleUse | undefined): Row {
  if (possible === undefined || row.costNanoUsd === null || possible.costNanoUsd === null) return row;
  return {
    ...row,
    usage: { ...row.usage, output: Math.min(row.usage.output, possible.output), isEstimated: true },
    costNanoUsd: Math.min(row.costNanoUsd, possible.costNanoUsd),
  };
}
