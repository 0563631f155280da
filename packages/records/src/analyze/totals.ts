import { toNanoUsd, toUsd } from "./recorded-costs.ts";
import type { OpinionCounts, ReportedOpinion, RunReport, Totals } from "./report.ts";

/** Sums that grow with each report. */
export interface RunningTotals {
  add(report: RunReport): void;
  current(): Totals;
}

/** Creates totals of no runs. */
export function createTotals(): RunningTotals {
  const counts = { runs: 0, calls: 0, turns: 0, unpricedTokens: 0, stuckRuns: 0, stuckCalls: 0 };
  let nanoUsd: number | null = null;
  let stuckNanoUsd = 0;
  let opinions: OpinionCounts | undefined;
  return {
    add(report) {
      counts.runs++;
      counts.calls += report.calls;
      counts.turns += report.turns;
      counts.unpricedTokens += report.unpricedTokens;
      if (report.costUsd !== null) nanoUsd = (nanoUsd ?? 0) + toNanoUsd(report.costUsd);
      if (report.opinions !== undefined) opinions = withOpinions(opinions ?? noOpinions, report.opinions);
      if (report.stuck === null) return;
      counts.stuckRuns++;
      counts.stuckCalls += report.stuck.calls;
      stuckNanoUsd += toNanoUsd(report.stuck.costUsd ?? 0);
    },
    current: () => ({
      runs: counts.runs,
      calls: counts.calls,
      turns: counts.turns,
      costUsd: nanoUsd === null ? null : toUsd(nanoUsd),
      unpricedTokens: counts.unpricedTokens,
      stuckRuns: counts.stuckRuns,
      stuckCalls: counts.stuckCalls,
      stuckCostUsd: nanoUsd === null ? null : toUsd(stuckNanoUsd),
      ...(opinions === undefined ? {} : { opinions }),
    }),
  };
}

const noOpinions: OpinionCounts = { stuck: 0, working: 0, unsure: 0, unanswered: 0 };

function withOpinions(counts: OpinionCounts, opinions: readonly ReportedOpinion[]): OpinionCounts {
  const sums = { ...counts };
  for (const { verdict } of opinions) sums[verdict ?? "unanswered"]++;
  return sums;
}
