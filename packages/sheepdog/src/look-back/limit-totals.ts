import type { LimitName, Policy } from "@sheepdog/guardian";
import { unrecordedLimits } from "@sheepdog/records";
import type { LookBack } from "./look-back.ts";

/** What a limit of the policy would have done to all runs. */
export interface LimitTotal {
  readonly limit: LimitName;
  /** Runs that it would have ended before they ended by themselves. */
  readonly runs: number;
  /** What they did afterwards, without subagents. */
  readonly savedCalls: number;
  /** null if no cost is known. */
  readonly savedUsd: number | null;
}

/** One for each limit at which the policy ends a run, as far as recordings hold its amounts. */
export function limitTotals({ runs }: Pick<LookBack, "runs">, policy: Policy): readonly LimitTotal[] {
  const unrecorded = new Set(unrecordedLimits(policy));
  const names = Object.keys(policy.limits) as LimitName[]; // the keys are limits
  return names
    .filter((name) => (policy.limits[name]?.stop ?? 0) > 0 && !unrecorded.has(name))
    .map((limit) => limitTotal(runs, limit));
}

function limitTotal(runs: LookBack["runs"], limit: LimitName): LimitTotal {
  const ends = runs
    .flatMap(({ limits }) => limits.find((each) => each.limit === limit && each.level === "halt") ?? [])
    .filter(({ remaining }) => remaining.calls > 0 || (remaining.costUsd ?? 0) > 0);
  const costs = ends.flatMap(({ remaining }) => remaining.costUsd ?? []);
  return {
    limit,
    runs: ends.length,
    savedCalls: ends.reduce((sum, { remaining }) => sum + remaining.calls, 0),
    savedUsd: costs.length === 0 ? null : costs.reduce((sum, usd) => sum + Math.round(usd * 1e9), 0) / 1e9,
  };
}
