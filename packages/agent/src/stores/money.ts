import { checkName } from "./check-name.ts";
import type { CostRow, MoneyLimits } from "./stores.ts";

/** How long a reservation may stay open; after it nobody is expected to say what the request did cost. */
export const reservationMs = 3_600_000;

/** What stands in the books of a session, a day or a month. */
export interface Balance {
  readonly spent: number;
  readonly reserved: number;
}

/** The first limit that keeps a request from being sent. */
export function refusingLimit(balances: Readonly<Record<keyof MoneyLimits, Balance>>, costNanoUsd: number, limits: MoneyLimits): keyof MoneyLimits | undefined {
  return (["session", "day", "month"] as const).find((name) => {
    const { spent, reserved } = balances[name];
    const limit = limits[name] ?? 0;
    const fits = spent + reserved + costNanoUsd <= limit || (reserved === 0 && spent < limit);
    return limit > 0 && !fits;
  });
}

/** Throws where a cost is no amount of money, or has names that cannot be kept. */
export function checkCost({ costNanoUsd, sessionId, id, runId, model }: CostRow): void {
  if (costNanoUsd !== null && !(Number.isSafeInteger(costNanoUsd) && costNanoUsd >= 0))
    throw new Error(`Expected a cost in whole nano-dollars, got ${costNanoUsd}.`);
  checkName("id of a session", sessionId);
  checkName("id of a request", id);
  checkName("id of a run", runId);
  checkName("name of a model", model);
}
