import type { LimitName, Policy } from "@sheepdog/guardian";

/** No recording says how full the context was, nor what was spent outside of its run. */
const untold: readonly LimitName[] = ["context", "session-cost", "day-cost", "month-cost"];

/** The limits of a policy that cannot be held against recordings. `analyze` does not look at them. */
export function unrecordedLimits({ limits }: Policy): readonly LimitName[] {
  return untold.filter((name) =>
    [limits[name]?.warn, limits[name]?.stop].some((amount) => amount !== undefined && amount > 0),
  );
}

/** The policy without them. */
export function withoutUnrecordedLimits(policy: Policy): Policy {
  return {
    ...policy,
    limits: Object.fromEntries(Object.entries(policy.limits).filter(([name]) => !untold.includes(name as LimitName))),
  }; // the keys are limits
}
