import type { EpisodeFacts, LookBackRun } from "./look-back-run.ts";

/** The run that started a subagent, and its loop if a repeat started it. */
export interface RunAbove {
  readonly run: LookBackRun;
  readonly episode?: EpisodeFacts;
}

/**
 * The run above each subagent: at most one, and no circles. A run whose loop names the subagent is preferred, first of
 * all the one that the subagent names itself. The earliest run of a circle is above the others.
 */
export function runsAbove(runs: readonly LookBackRun[]): ReadonlyMap<LookBackRun, RunAbove> {
  const ordered = runs.toSorted(byStart);
  const byRecordedId = new Map<string, LookBackRun[]>();
  for (const run of ordered) addTo(byRecordedId, treeKey(run, run.recordedId), run);
  const claims = new Map<string, RunAbove[]>();
  for (const run of ordered) {
    if (run.report.stuck === null || run.facts.stuck === null) continue;
    for (const episode of run.episodes)
      for (const child of episode.children) addTo(claims, treeKey(run, child), { run, episode });
  }
  const above = new Map<LookBackRun, RunAbove>();
  for (const run of ordered) {
    const others = (claims.get(treeKey(run, run.recordedId)) ?? []).filter((claim) => claim.run !== run);
    const parents = run.parent === null ? [] : (byRecordedId.get(treeKey(run, run.parent)) ?? []);
    const parent = nearest(
      parents.filter((each) => each !== run),
      run,
    );
    const claim = others.find((each) => each.run === parent) ?? others.find((each) => parents.includes(each.run));
    const chosen = claim ?? others[0] ?? (parent === undefined ? undefined : { run: parent });
    if (chosen !== undefined) above.set(run, chosen);
  }
  for (const run of ordered) if (isInCircle(run, above)) above.delete(run);
  return above;
}

/** Of several runs with one id, the one of the same file. */
function nearest(parents: readonly LookBackRun[], { file }: LookBackRun): LookBackRun | undefined {
  return parents.find((parent) => parent.file === file) ?? parents[0];
}

/** Whether the way up leads back to the run. */
function isInCircle(run: LookBackRun, above: ReadonlyMap<LookBackRun, RunAbove>): boolean {
  const visited = new Set<LookBackRun>();
  let current = above.get(run)?.run;
  while (current !== undefined && current !== run && !visited.has(current)) {
    visited.add(current);
    current = above.get(current)?.run;
  }
  return current === run;
}

/** Adds a value to the group of a key. */
export function addTo<Key, Value>(groups: Map<Key, Value[]>, key: Key, value: Value): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}

/** Ids are unique for an agent only. */
function treeKey({ source }: LookBackRun, recordedId: string): string {
  return `${source} ${recordedId}`;
}

function byStart(one: LookBackRun, other: LookBackRun): number {
  const [a, b] = [one.startedAt ?? Number.MAX_VALUE, other.startedAt ?? Number.MAX_VALUE];
  if (a !== b) return a - b;
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}
