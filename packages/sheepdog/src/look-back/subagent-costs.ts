import type { EpisodeFacts, LookBackRun } from "./look-back-run.ts";
import { addTo, runsAbove } from "./runs-above.ts";

/** Runs whose loops count what their subagents cost. */
export interface RunTrees {
  readonly runs: readonly LookBackRun[];
  /** The ids of subagents that were started in circles: all they cost is in the loop of the run above them. */
  readonly insideLoops: ReadonlySet<string>;
}

/**
 * Adds to each episode and to each stuck run the calls and the cost of the subagents that the repeats started, with
 * their own subagents. Each run is in at most one loop of the run above it.
 */
export function withSubagentCosts(runs: readonly LookBackRun[]): RunTrees {
  const above = runsAbove(runs);
  const below = new Map<LookBackRun, LookBackRun[]>();
  for (const [run, { run: parent }] of above) addTo(below, parent, run);
  const treeOf = (root: LookBackRun): readonly LookBackRun[] => {
    const tree = [root];
    for (const run of tree) for (const child of below.get(run) ?? []) tree.push(child);
    return tree;
  };
  const startedIn = new Map<EpisodeFacts, LookBackRun[]>();
  const insideLoops = new Set<string>();
  for (const [run, { episode }] of above) {
    if (episode === undefined) continue;
    for (const each of treeOf(run)) {
      addTo(startedIn, episode, each);
      insideLoops.add(each.id);
    }
  }
  return { runs: runs.map((run) => withStarted(run, startedIn)), insideLoops };
}

/** The calls of a run that went in circles, with those of the subagents that were started in circles. */
export function callsInCircles({ report, episodes }: Pick<LookBackRun, "report" | "episodes">): number {
  return episodes.reduce((sum, { subagentCalls = 0 }) => sum + subagentCalls, report.stuck?.calls ?? 0);
}

function withStarted(run: LookBackRun, startedIn: ReadonlyMap<EpisodeFacts, readonly LookBackRun[]>): LookBackRun {
  const all = run.episodes.flatMap((episode) => startedIn.get(episode) ?? []);
  const { stuck } = run.report;
  const { stuck: stuckFacts } = run.facts;
  if (all.length === 0 || stuck === null || stuckFacts === null) return run;
  const costUsd = sumUsd([stuck.costUsd, ...costsOf(all)]);
  return {
    ...run,
    episodes: run.episodes.map((episode) => {
      const started = startedIn.get(episode);
      if (started === undefined) return episode;
      const subagentCalls = started.reduce((sum, { report }) => sum + report.calls, 0);
      return { ...episode, subagentCalls, costUsd: sumUsd([episode.costUsd, ...costsOf(started)]) };
    }),
    report: { ...run.report, stuck: { ...stuck, costUsd } },
    facts: { ...run.facts, stuck: { ...stuckFacts, costUsd } },
  };
}

function costsOf(runs: readonly LookBackRun[]): readonly (number | null)[] {
  return runs.map(({ report }) => report.costUsd);
}

/** The sum of the known amounts; null if none is known. */
function sumUsd(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((amount) => amount !== null);
  if (known.length === 0) return null;
  return known.reduce((sum, amount) => sum + Math.round(amount * 1e9), 0) / 1e9;
}
