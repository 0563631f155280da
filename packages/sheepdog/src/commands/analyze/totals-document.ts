import { type Group, type Grouping, groupings, groupsBy } from "../../look-back/groups.ts";
import type { LookBack } from "../../look-back/look-back.ts";
import { lookBackTotals } from "../../look-back/look-back-totals.ts";
import { isoTime } from "./run-document.ts";

/** The sums of `--json`: `totals` with the fields that every version has first, and the groups of each kind. */
export function totalsDocument(lookBack: LookBack): { readonly totals: object; readonly groups: object } {
  const { stuckUsd, from, to, unpricedModels, usage, ...totals } = lookBackTotals(lookBack);
  const { runs, calls, turns, costUsd, unpricedTokens, stuckRuns, stuckCalls, subagentRuns, opinions } = totals;
  return {
    totals: {
      runs,
      calls,
      turns,
      costUsd,
      unpricedTokens,
      stuckRuns,
      stuckCalls,
      stuckCostUsd: stuckUsd,
      subagentRuns,
      ...(opinions === undefined ? {} : { opinions }),
      from: isoTime(from),
      to: isoTime(to),
      unpricedModels,
      usage,
    },
    groups: Object.fromEntries(groupings.map((by: Grouping) => [by, groupsBy(lookBack, by).map(groupDocument)])),
  };
}

function groupDocument({ nanoUsd, stuckNanoUsd, ...group }: Group): object {
  return { ...group, costUsd: nanoUsd / 1e9, stuckCostUsd: stuckNanoUsd / 1e9 };
}
