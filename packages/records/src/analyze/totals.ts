import { toNanoUsd, toUsd } from "./recorded-costs.ts";
import type { RunReport, Totals } from "./report.ts";

/** Sums that grow by one run at a time. */
export interface Tally {
  add(report: RunReport): void;
  totals(): Totals;
}

/** A tally of no runs. */
export function createTally(): Tally {
  const sums = { runs: 0, calls: 0, turns: 0, unpricedTokens: 0, stuckRuns: 0, stuckCalls: 0 };
  let nanoUsd: number | null = null;
  let stuckNanoUsd = 0;
  return {
    add(report) {
      sums.runs++;
      sums.calls += report.calls;
      sums.turns += report.turns;
      sums.unpricedTokens += report.unpricedTokens;
      if (report.costUsd !== null) nanoUsd = (nanoUsd ?? 0) + toNanoUsd(report.costUsd);
      if (report.stuck === null) return;
      sums.stuckRuns++;
      sums.stuckCalls += report.stuck.calls;
      stuckNanoUsd += toNanoUsd(report.stuck.costUsd ?? 0);
    },
    totals: () => ({
      runs: sums.runs,
      calls: sums.calls,
      turns: sums.turns,
      costUsd: nanoUsd === null ? null : toUsd(nanoUsd),
      unpricedTokens: sums.unpricedTokens,
      stuckRuns: sums.stuckRuns,
      stuckCalls: sums.stuckCalls,
      stuckCostUsd: nanoUsd === null ? null : toUsd(stuckNanoUsd),
    }),
  };
}
