import type { Findings } from "@sheepdog/web/contract";
import type { AnalyzedRun } from "../../../look-back/analyzed-run.ts";
import { type SweepBy, stopAt } from "../../../look-back/sweep.ts";
import { usdText } from "../../../sentences/amount-text.ts";

const MAX_SHOWN = 100;

/** Good runs that some limit would have stopped, those that the highest limits stop first. */
export function stoppableGoodRuns(
  runs: readonly AnalyzedRun[],
  by: SweepBy,
  limits: readonly number[],
): Findings["goodRuns"] {
  return runs
    .filter(({ isGood }) => isGood)
    .flatMap((run) => {
      const stoppedUpTo = limits.findLast((limit) => stopAt[by](run.facts, limit) !== undefined);
      return stoppedUpTo === undefined ? [] : [{ run, stoppedUpTo }];
    })
    .toSorted((a, b) => b.stoppedUpTo - a.stoppedUpTo || (b.run.at ?? 0) - (a.run.at ?? 0))
    .slice(0, MAX_SHOWN)
    .map(({ run, stoppedUpTo }) => ({
      id: run.id,
      sentence: run.facts.title,
      project: run.project,
      stoppedUpTo,
      why: whyAlike(run, by),
    }));
}

function whyAlike({ facts }: AnalyzedRun, by: SweepBy): string {
  switch (by) {
    case "calls":
      return facts.repeated;
    case "cost":
      return `cost ${usdText(facts.costUsd ?? 0)}`;
    case "turns":
      return `took ${facts.turns.toLocaleString("en-US")} turns`;
    default:
      return by satisfies never;
  }
}
