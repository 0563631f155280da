import { isMoney, type LimitName, limitNames } from "../policy/limit.ts";
import type { Policy } from "../policy/policy.ts";
import type { GuardianState } from "../state/guardian-state.ts";
import { limitOf, usedOf } from "./limit-usage.ts";

/** The rest of a budget that counts as little. */
export interface Reserve {
  /** Default 512. */
  readonly reserveTokens?: number;
  /** A fraction of the limit; default 0.1. */
  readonly reserveCostFraction?: number;
}

/**
 * Whether little is left of the tokens or the money, for callers that want to slow down before the end. All limits are
 * checked unless some are named.
 */
export function nearBudget(
  policy: Policy,
  state: GuardianState,
  reserve: Reserve = {},
  limits: readonly LimitName[] = limitNames,
): boolean {
  return limits.some((name) => {
    const stop = limitOf(policy, state, name)?.stop ?? 0;
    const reserved = reservedAmount(name, stop, reserve);
    return stop > 0 && reserved !== undefined && stop - usedOf(state, name) <= reserved;
  });
}

function reservedAmount(
  name: LimitName,
  stop: number,
  { reserveTokens = 512, reserveCostFraction = 0.1 }: Reserve,
): number | undefined {
  if (name === "run-tokens") return reserveTokens;
  return isMoney(name) ? reserveCostFraction * stop : undefined;
}
