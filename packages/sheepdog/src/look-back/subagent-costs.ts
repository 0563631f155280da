import type { LookBackRun } from "./look-back-run.ts";

/** Runs whose loops count what their subagents cost. */
export interface RunTrees {
  readonly runs: readonly LookBackRun[];
  /** The ids of subagents that were started in circles: all they cost is in the loop of the run above them. */
  readonly insideLoops: ReadonlySet<string>;
}

/**
 * Adds to each episode and to each stuck run what the subagents cost that the repeats started, with their own
 * subagents.
 */
export function withSubagentCosts(runs: readonly LookBackRun[]): RunTrees {
  const byRecordedId = new Map(runs.map((run) => [treeKey(run, run.recordedId), run]));
  const childrenOf = new Map<LookBackRun, LookBackRun[]>();
  for (const run of runs) {
    const above = run.parent === null ? undefined : byRecordedId.get(treeKey(run, run.parent));
    if (above !== undefined && above !== run) childrenOf.set(above, [...(childrenOf.get(above) ?? []), run]);
  }
  const insideLoops = new Set<string>();
  const treeOf = (root: LookBackRun): readonly LookBackRun[] => {
    const tree = new Set([root]);
    for (const run of tree) for (const child of childrenOf.get(run) ?? []) tree.add(child);
    return [...tree];
  };
  const treesOf = (run: LookBackRun, children: readonly string[]) =>
    children.flatMap((id) => byRecordedId.get(treeKey(run, id)) ?? []).flatMap((child) => treeOf(child));

  const counted = runs.map((run) => {
    if (run.episodes.every(({ children }) => children.length === 0)) return run;
    const all = new Set<LookBackRun>();
    const episodes = run.episodes.map((episode) => {
      const trees = new Set(treesOf(run, episode.children).filter((each) => each !== run && !all.has(each)));
      for (const each of trees) {
        all.add(each);
        insideLoops.add(each.id);
      }
      return { ...episode, costUsd: sumUsd([episode.costUsd, ...[...trees].map(({ report }) => report.costUsd)]) };
    });
    const { stuck } = run.report;
    const { stuck: stuckFacts } = run.facts;
    if (stuck === null || stuckFacts === null) return { ...run, episodes };
    const costUsd = sumUsd([stuck.costUsd, ...[...all].map(({ report }) => report.costUsd)]);
    return {
      ...run,
      episodes,
      report: { ...run.report, stuck: { ...stuck, costUsd } },
      facts: { ...run.facts, stuck: { ...stuckFacts, costUsd } },
    };
  });
  return { runs: counted, insideLoops };
}

/** Ids are unique for an agent only. */
function treeKey({ source }: LookBackRun, recordedId: string): string {
  return `${source} ${recordedId}`;
}

/** The sum of the known amounts; null if none is known. */
function sumUsd(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((amount) => amount !== null);
  if (known.length === 0) return null;
  return known.reduce((sum, amount) => sum + Math.round(amount * 1e9), 0) / 1e9;
}
