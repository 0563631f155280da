import type { Findings } from "@sheepdog/web/contract";
import type { AnalyzedRun } from "./analyzed-run.ts";
import type { LookBackRun } from "./look-back-run.ts";
import type { RunFacts, StopPoint } from "./run-facts.ts";

type Sweep = Findings["sweep"];

/** What limits are compared by. */
export type SweepBy = Sweep["by"];

/** Where a limit would have stopped a run; undefined if it would not. */
export type StopAt = (facts: RunFacts, limit: number) => Omit<StopPoint, "limit"> | undefined;

/** How each kind of limit stops a run. A request that would exceed a limit of money is not sent. */
export const stopAt: Readonly<Record<SweepBy, StopAt>> = {
  calls: ({ equalCalls }, limit) => equalCalls.find((point) => point.limit === limit),
  cost: ({ spent }, limitUsd) => {
    const limit = Math.round(limitUsd * 1e9);
    const refused = spent.nanoUsd.findIndex((nanoUsd) => nanoUsd > limit);
    return refused < 0 ? undefined : restAfter(spent, refused - 1);
  },
  turns: ({ spent }, limit) => (spent.calls.length <= limit ? undefined : restAfter(spent, limit - 1)),
};

function restAfter({ nanoUsd, calls }: RunFacts["spent"], end: number): Omit<StopPoint, "limit"> {
  const rest = (amounts: readonly number[]) => (amounts.at(-1) ?? 0) - (amounts[end] ?? 0);
  return { savedUsd: rest(nanoUsd) / 1e9, savedCalls: rest(calls) };
}

/** The effect of each limit. What is saved counts the runs that did not end well: to stop a good run saves nothing. */
export function sweepPoints(runs: readonly AnalyzedRun[], by: SweepBy, limits: readonly number[]): Sweep["points"] {
  return limits.map((limit) => {
    let savedNanoUsd = 0;
    let savedCalls = 0;
    const stoppedGood: string[] = [];
    for (const { id, isGood, facts } of runs) {
      const stop = stopAt[by](facts, limit);
      if (stop === undefined) continue;
      if (isGood) {
        stoppedGood.push(id);
        continue;
      }
      savedNanoUsd += Math.round(stop.savedUsd * 1e9);
      savedCalls += stop.savedCalls;
    }
    return { limit, savedUsd: savedNanoUsd / 1e9, savedCalls, stoppedGood };
  });
}

/** Runs by how they ended: a recording may not say it. */
export interface OutcomeCounts {
  readonly good: number;
  readonly bad: number;
  readonly unknown: number;
}

/** Counts the runs that a limit would have stopped. */
export function stoppedRuns(runs: readonly LookBackRun[], by: SweepBy, limit: number): OutcomeCounts {
  return countOutcomes(runs.filter(({ facts }) => stopAt[by](facts, limit) !== undefined));
}

/** Counts runs by how they ended. */
export function countOutcomes(runs: readonly Pick<LookBackRun, "isGood" | "outcome">[]): OutcomeCounts {
  const good = runs.filter(({ isGood }) => isGood).length;
  const unknown = runs.filter(({ isGood, outcome }) => !isGood && outcome === null).length;
  return { good, unknown, bad: runs.length - good - unknown };
}

const callLimits = Array.from({ length: 12 }, (_, index) => index + 3);
const turnLimits = [10, 15, 25, 40, 60, 100, 150, 250, 400, 600, 1_000, 1_500, 2_500];
const MAX_LIMITS = 12;

/** The limits to compare. Those of costs and turns depend on the runs; the limit in force is among them. */
export function sweepLimits(runs: readonly AnalyzedRun[], by: SweepBy, current: number | null): readonly number[] {
  if (by === "calls") return callLimits;
  const highest = (amountOf: (facts: RunFacts) => number) =>
    runs.reduce((max, { facts }) => Math.max(max, amountOf(facts)), 0);
  const candidates = by === "cost" ? niceAmounts : turnLimits;
  const max = by === "cost" ? highest(({ costUsd }) => costUsd ?? 0) : highest(({ turns }) => turns);
  if (max === 0) return current === null ? [] : [current];
  const firstAbove = candidates.findIndex((candidate) => candidate >= max);
  const end = firstAbove < 0 ? candidates.length : firstAbove + 1;
  const chosen = candidates.slice(Math.max(0, end - MAX_LIMITS), end);
  const all = current === null || chosen.includes(current) ? chosen : [...chosen, current];
  return all.toSorted((a, b) => a - b);
}

/** 0.01, 0.02, 0.05, 0.1, … 10,000 dollars. */
const niceAmounts: readonly number[] = [-2, -1, 0, 1, 2, 3, 4].flatMap((exponent) =>
  [1, 2, 5].map((digit) => Number(`${digit}e${exponent}`)),
);
