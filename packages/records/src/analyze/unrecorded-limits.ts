import type { LimitName, Policy } from "@sheepdog/guardian";

/** A recording holds neither how full the context was nor what was spent outside of its run. */
const unrecorded: readonly LimitName[] = ["context", "session-cost", "day-cost", "month-cost"];

/** The limits of a policy that `analyze` ignores, because recordings do not hold the amounts. */
export function unrecordedLimits(policy: Policy): readonly LimitName[] {
  return unrecorded.filter((name) =>
    [policy.limits[name]?.warn, policy.limits[name]?.stop].some((amount) => amount !== undefined && amount > 0),
  );
}

/** The policy without the limits that recordings hold no amounts for. */
export function withoutUnrecordedLimits(policy: Policy): Policy {
  const recorded = Object.entries(policy.limits).filter(([name]) => !unrecorded.some((limit) => limit === name));
  return { ...policy, limits: Object.fromEntries(recorded) };
}
