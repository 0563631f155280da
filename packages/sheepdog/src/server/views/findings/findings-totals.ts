import type { Findings } from "@sheepdog/web/contract";
import { agentLabel } from "../../../look-back/agent-label.ts";
import type { AnalyzedRun } from "../../../look-back/analyzed-run.ts";
import type { Judgement } from "../judgements/judgement-line.ts";

/** Sums over all runs. */
export function findingsTotals(runs: readonly AnalyzedRun[]): Findings["totals"] {
  const stuck = runs.flatMap(({ facts }) => facts.stuck ?? []);
  return {
    runs: runs.length,
    goodRuns: runs.filter(({ isGood }) => isGood).length,
    calls: sum(runs.map(({ facts }) => facts.calls)),
    stuckRuns: stuck.length,
    stuckCalls: sum(stuck.map(({ calls }) => calls)),
    costUsd: sumUsd(runs.map(({ facts }) => facts.costUsd)),
    stuckUsd: runs.some(({ facts }) => facts.costUsd !== null)
      ? (sumUsd(stuck.map(({ costUsd }) => costUsd)) ?? 0)
      : null,
    unpricedRuns: runs.filter(({ facts }) => facts.costUsd === null || facts.unpricedTokens > 0).length,
  };
}

/** The number of runs of each source, most first. */
export function sourcesOf(runs: readonly AnalyzedRun[]): Findings["sources"] {
  const counts = new Map<string, number>();
  for (const { source } of runs) counts.set(source, (counts.get(source) ?? 0) + 1);
  return [...counts]
    .map(([source, count]) => ({ source: agentLabel(source), runs: count }))
    .toSorted((a, b) => b.runs - a.runs);
}

/** What each detector found, dearest first. A run counts for the detector that went furthest. */
export function detectorsOf(runs: readonly AnalyzedRun[], judgements: readonly Judgement[]): Findings["detectors"] {
  const stuck = runs.flatMap(({ facts }) => facts.stuck ?? []);
  const judged = judgements.flatMap(({ detector }) => detector ?? []);
  return [...new Set([...stuck.map(({ detector }) => detector), ...judged])]
    .map((detector) => {
      const own = stuck.filter((each) => each.detector === detector);
      const about = judgements.filter((judgement) => judgement.detector === detector);
      return {
        detector,
        runs: own.length,
        usd: own.length === 0 ? 0 : sumUsd(own.map(({ costUsd }) => costUsd)),
        judgedRight: about.filter(({ isRight }) => isRight === true).length,
        judged: about.length,
      };
    })
    .toSorted((a, b) => (b.usd ?? 0) - (a.usd ?? 0) || b.runs - a.runs);
}

const MAX_STUCK = 200;

/** The runs that got stuck, dearest first; those of unknown cost by their calls. */
export function stuckRuns(runs: readonly AnalyzedRun[]): Findings["stuck"] {
  return runs
    .flatMap((run) => (run.facts.stuck === null ? [] : [{ run, stuck: run.facts.stuck }]))
    .toSorted((a, b) => (b.stuck.costUsd ?? 0) - (a.stuck.costUsd ?? 0) || b.stuck.calls - a.stuck.calls)
    .slice(0, MAX_STUCK)
    .map(({ run: { id, source, project, at }, stuck }) => ({
      id,
      sentence: stuck.sentence,
      source: agentLabel(source),
      project,
      detector: stuck.detector,
      at: at ?? null,
      calls: stuck.calls,
      stuckUsd: stuck.costUsd,
      firstHintUsd: stuck.firstHintUsd,
      savedUsd: stuck.savedUsd,
    }));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** The sum of the known amounts; null if none is known. */
function sumUsd(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : sum(known.map((amount) => Math.round(amount * 1e9))) / 1e9;
}
