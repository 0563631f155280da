import { type CountingNotes, type ModelUsage, type OpinionCounts, sumByModel } from "@sheepdog/records";
import type { LookBack } from "./look-back.ts";
import { callsInCircles } from "./subagent-costs.ts";

/** Sums over all runs of a look back. */
export interface LookBackTotals {
  readonly runs: number;
  /** Those of them that another run started. */
  readonly subagentRuns: number;
  readonly calls: number;
  readonly turns: number;
  /** null when no cost is known. */
  readonly costUsd: number | null;
  /** Runs in which the guardian would have spoken. */
  readonly interventionRuns: number;
  /** Without subagents that were started in circles: they are in the loop of the run above them. */
  readonly stuckRuns: number;
  /** With all calls of subagents that were started in circles. */
  readonly stuckCalls: number;
  /** With what these subagents cost. */
  readonly stuckUsd: number | null;
  readonly unpricedTokens: number;
  /** Models of which tokens have no price, most tokens first. */
  readonly unpricedModels: readonly { readonly model: string; readonly tokens: number }[];
  readonly usage: readonly ModelUsage[];
  /** The questions for a second opinion by their answer; absent if none was asked for. */
  readonly opinions?: OpinionCounts;
  /** Milliseconds since 1970; null when no recording has times. */
  readonly from: number | null;
  readonly to: number | null;
}

/** Sums up a look back. */
export function lookBackTotals({ runs, insideLoops }: Pick<LookBack, "runs" | "insideLoops">): LookBackTotals {
  const usage = sumByModel(runs.flatMap((run) => run.usage));
  const costs = runs.flatMap(({ report }) => report.costUsd ?? []);
  // A loop has the calls and costs of the subagents it started, which are runs of their own as well.
  const ownLoops = runs.filter(({ id }) => !insideLoops.has(id));
  const startTimes = runs.flatMap(({ startedAt }) => startedAt ?? []);
  const opinions = countOpinions(runs);
  const endTimes = runs.flatMap(({ endedAt }) => endedAt ?? []);
  return {
    runs: runs.length,
    subagentRuns: runs.filter(({ parent }) => parent !== null).length,
    calls: sum(runs.map(({ report }) => report.calls)),
    turns: sum(runs.map(({ report }) => report.turns)),
    costUsd: costs.length === 0 ? null : sum(costs.map(nano)) / 1e9,
    interventionRuns: runs.filter(({ report }) => report.interventions.length > 0).length,
    stuckRuns: ownLoops.filter(({ report }) => report.stuck !== null).length,
    stuckCalls: sum(ownLoops.map(callsInCircles)),
    stuckUsd: costs.length === 0 ? null : sum(ownLoops.map((run) => nano(run.report.stuck?.costUsd ?? null))) / 1e9,
    unpricedTokens: sum(usage.map(({ unpricedTokens }) => unpricedTokens)),
    unpricedModels: usage
      .filter(({ unpricedTokens }) => unpricedTokens > 0)
      .map(({ model, unpricedTokens: tokens }) => ({ model, tokens }))
      .toSorted((a, b) => b.tokens - a.tokens),
    usage,
    ...(opinions === undefined ? {} : { opinions }),
    from: startTimes.length === 0 ? null : startTimes.reduce((a, b) => Math.min(a, b)),
    to: endTimes.length === 0 ? null : endTimes.reduce((a, b) => Math.max(a, b)),
  };
}

/** Whether so little went in circles, under 1 %, that what was spent is the better order of tables. */
export function isHardlyStuck({ calls, stuckCalls, costUsd, stuckUsd }: LookBackTotals): boolean {
  return stuckCalls * 100 < calls && (stuckUsd ?? 0) * 100 <= (costUsd ?? 0);
}

/** What the readers of all runs left out or counted apart. */
export function countingTotals(runs: LookBack["runs"]): Required<CountingNotes> {
  const count = (name: keyof CountingNotes) => sum(runs.map(({ counting }) => counting[name] ?? 0));
  return {
    repeatedUsage: count("repeatedUsage"),
    copiedRequests: count("copiedRequests"),
    rewoundMessages: count("rewoundMessages"),
    syntheticReplies: count("syntheticReplies"),
    withoutUsage: count("withoutUsage"),
    partialOutput: count("partialOutput"),
    ambiguousResults: count("ambiguousResults"),
    pricedAsOrdinary: count("pricedAsOrdinary"),
    pricedAsSmall: count("pricedAsSmall"),
  };
}

function countOpinions(runs: LookBack["runs"]): OpinionCounts | undefined {
  if (runs.every(({ report }) => report.opinions === undefined)) return undefined;
  const counts = { stuck: 0, working: 0, unsure: 0, unanswered: 0 };
  for (const { report } of runs) for (const { verdict } of report.opinions ?? []) counts[verdict ?? "unanswered"]++;
  return counts;
}

function nano(usd: number | null): number {
  return Math.round((usd ?? 0) * 1e9);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
