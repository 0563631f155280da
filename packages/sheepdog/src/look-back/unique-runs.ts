import { ownSource } from "../recordings/saved-run-recording.ts";
import type { LookBackRun } from "./look-back-run.ts";

/**
 * The runs without those that are recorded a second time: parts of a subagent's run, where the run itself was found,
 * a run of Sheepdog in a log besides the database, and what hooks recorded of a session that its agent recorded too.
 * Copies of single requests are left out when files are read.
 */
export function uniqueRuns(runs: readonly LookBackRun[]): readonly LookBackRun[] {
  const best = new Map<string, LookBackRun>();
  for (const run of runs) {
    const known = best.get(runKey(run));
    if (known === undefined || isBetter(run, known)) best.set(runKey(run), run);
  }
  return runs.filter((run) => {
    const other = best.get(runKey(run));
    return other === run || !(run.isExcerpt || run.isOfHooks || run.source === ownSource);
  });
}

/** Identifies a run in all recordings. Ids are unique for an agent only. */
function runKey({ source, recordedId }: Pick<LookBackRun, "source" | "recordedId">): string {
  return `${source} ${recordedId}`;
}

function isBetter(run: LookBackRun, other: LookBackRun): boolean {
  if (run.isOfHooks !== other.isOfHooks) return other.isOfHooks === true;
  if (run.isExcerpt !== other.isExcerpt) return other.isExcerpt === true;
  if (isOfStore(run) !== isOfStore(other)) return isOfStore(run);
  return run.report.turns > other.report.turns;
}

/** A run of the database has the same id there as everywhere. */
function isOfStore({ id, recordedId }: LookBackRun): boolean {
  return id === recordedId;
}
