import type { Limit, LimitName, Policy } from "@sheepdog/guardian";

/** The limits that hold for attached agents. Turns, time and the context are theirs to manage. */
const heldLimits: readonly LimitName[] = ["run-tokens", "run-cost", "session-cost", "day-cost", "month-cost"];

/**
 * A policy as hooks can follow it: hooks run when something happens, so that they see no silence, and nobody answers a
 * request for an opinion.
 */
export function hookPolicy(policy: Policy): Policy {
  const limits: Partial<Record<LimitName, Limit>> = {};
  for (const name of heldLimits) {
    const limit = policy.limits[name];
    if (limit !== undefined) limits[name] = limit;
  }
  return { ...policy, stallMs: 0, secondOpinion: "off", limits };
}
