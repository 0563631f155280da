import type { Limit, LimitName } from "../policy/limit.ts";
import type { Policy } from "../policy/policy.ts";
import type { GuardianState } from "../state/guardian-state.ts";

/** The limit that applies: a user's own, or the policy's. */
export function limitOf(policy: Policy, { userLimits }: GuardianState, name: LimitName): Limit | undefined {
  return userLimits[name] ?? policy.limits[name];
}

/** The usage of a limit, that of subagents included. */
export function usedOf(state: GuardianState, name: LimitName): number {
  if (name === "turns") return state.runTurns;
  if (name === "time") return state.clock.workMs;
  const used = state.limits[name]?.used ?? 0;
  if (name === "run-tokens") return used + usedBySubagents(state, "tokens");
  if (name === "run-cost") return used + usedBySubagents(state, "costNanoUsd");
  return used;
}

function usedBySubagents({ subagents, subagentTotals }: GuardianState, part: "tokens" | "costNanoUsd"): number {
  return subagents.reduce((sum, subagent) => sum + subagent[part], subagentTotals[part]);
}

/** Whether the usage has reached an amount; 0 and undefined are off. */
export function isReached(used: number, amount = 0): boolean {
  return amount > 0 && used >= amount;
}
