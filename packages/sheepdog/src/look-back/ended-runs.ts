import type { WorstRun } from "./worst-runs.ts";

/** The runs that the policy would have ended, and what they did and cost from there on: all of it is hypothetical. */
export interface EndedRuns {
  readonly runs: number;
  readonly calls: number;
  /** null if no cost is known. */
  readonly costUsd: number | null;
}

/** Sums up what the first end of each run would have saved, without subagents. */
export function endedRuns(worst: readonly Pick<WorstRun, "stop">[]): EndedRuns {
  const stops = worst.flatMap(({ stop }) => stop ?? []);
  const costs = stops.flatMap(({ remaining }) => remaining.costUsd ?? []);
  return {
    runs: stops.length,
    calls: stops.reduce((sum, { remaining }) => sum + remaining.calls, 0),
    costUsd: costs.length === 0 ? null : costs.reduce((sum, usd) => sum + Math.round(usd * 1e9), 0) / 1e9,
  };
}
