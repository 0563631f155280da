import { checkStoredName } from "./stored-name.ts";
import type { CostRow, MoneyLimits } from "./stores.ts";

/** How long a reservation may stay open; after it nobody is expected to say what the request did cost. */
export const reservationMs = 3_600_000;

/** What stands in the books of a session, a day or a month. */
export interface Balance {
  readonly spent: number;
  readonly reserved: number;
}

/** The first limit that keeps a request from being sent. */
export function refusingLimit(
  balances: Readonly<Record<keyof MoneyLimits, Balance>>,
  costNanoUsd: number,
  limits: MoneyLimits,
): keyof MoneyLimits | undefined {
  if (refuses(limits.session, balances.session, costNanoUsd)) return "session";
  if (refuses(limits.day, balances.day, costNanoUsd)) return "day";
  return refuses(limits.month, balances.month, costNanoUsd) ? "month" : undefined;
}

/** No limit, or 0, is none. */
function refuses(limit: number | undefined, { spent, reserved }: Balance, costNanoUsd: number): boolean {
  if (limit === undefined || !(limit > 0)) return false;
  const fits = spent + reserved + costNanoUsd <= limit || (reserved === 0 && spent < limit);
  return !fits;
}

/** Throws where a cost is no amount of money, or has names that cannot be kept. */
export function checkCost({ costNanoUsd, sessionId, id, runId, model }: CostRow): void {
  if (costNanoUsd !== null && !(Number.isSafeInteger(costNanoUsd) && costNanoUsd >= 0))
    throw new Error(`Expected a cost in whole nano-dollars, got ${costNanoUsd}.`);
  checkStoredName("id of a session", sessionId);
  checkStoredName("id of a request", id);
  checkStoredName("id of a run", runId);
  checkStoredName("name of a model", model);
}
