import type { Sentence } from "@sheepdog/web/contract";
import type { LookBack } from "./look-back.ts";
import type { EpisodeIntervention, LookBackRun } from "./look-back-run.ts";
import { callsInCircles } from "./subagent-costs.ts";

/** What the worst runs can be ordered by: what went in circles, what an end would have saved, or all that was spent. */
export type WorstBy = "cost" | "calls" | "time" | "saved" | "spent";

/** A run that went in circles, and what it came to. */
export interface WorstRun {
  readonly run: LookBackRun;
  /** What happened: "`npm test` failed 11 times the same way". */
  readonly sentence: Sentence;
  /** Calls that repeat an earlier one, and those of the subagents that they started. */
  readonly calls: number;
  /** With the subagents that were started in circles; null if no cost is known. */
  readonly costUsd: number | null;
  /** From the first call of each loop to its last, without long pauses; null if the recording has no times. */
  readonly ms: number | null;
  readonly startedAt: number | null;
  /** Where the policy would have ended it, and what came after; undefined if it would not have. */
  readonly stop?: EpisodeIntervention;
  /** The number of loops besides the one of the sentence. */
  readonly otherLoops: number;
}

/** The runs that went in circles, the worst first. Subagents that were started in circles are in the run above them. */
export function worstRuns(
  { runs, insideLoops }: Pick<LookBack, "runs" | "insideLoops">,
  by: WorstBy,
): readonly WorstRun[] {
  const weight = weights[by];
  return runs
    .filter(({ id }) => !insideLoops.has(id))
    .flatMap(worstRun)
    .toSorted((a, b) => weight(b) - weight(a) || b.calls - a.calls);
}

/** Where no cost is known, what would have been saved is told in calls. */
const weights: Readonly<Record<WorstBy, (worst: WorstRun) => number>> = {
  cost: ({ costUsd }) => costUsd ?? 0,
  calls: ({ calls }) => calls,
  time: ({ ms }) => ms ?? 0,
  saved: ({ stop }) => stop?.remaining.costUsd ?? (stop?.remaining.calls ?? 0) / 1e9,
  spent: ({ run }) => run.report.costUsd ?? 0,
};

function worstRun(run: LookBackRun): readonly WorstRun[] {
  const { stuck } = run.report;
  const { stuck: main } = run.facts;
  if (stuck === null || main === null) return [];
  const loops = run.episodes.filter(({ repeats }) => repeats > 0);
  const stop = firstStop(run);
  const spans = loops.flatMap(({ activeMs }) => activeMs ?? []);
  const starts = loops.flatMap(({ startedAt }) => startedAt ?? []);
  return [
    {
      run,
      sentence: main.sentence,
      calls: callsInCircles(run),
      costUsd: stuck.costUsd,
      ms: spans.length === 0 ? null : spans.reduce((sum, ms) => sum + ms, 0),
      startedAt: starts.length === 0 ? run.startedAt : starts.reduce((a, b) => Math.min(a, b)),
      ...(stop === undefined ? {} : { stop }),
      otherLoops: Math.max(0, loops.length - 1),
    },
  ];
}

/** The first end that the policy would have brought, by a loop or a limit; from there on all is hypothetical. */
export function firstStop({
  episodes,
  limits,
  isObserveOnly,
}: Pick<LookBackRun, "episodes" | "limits" | "isObserveOnly">): EpisodeIntervention | undefined {
  const ofLoops = isObserveOnly ? [] : episodes.flatMap(({ interventions }) => interventions);
  return [...ofLoops, ...limits].filter(({ level }) => level === "halt").toSorted((a, b) => a.call - b.call)[0];
}
