import { runHash } from "../run-hash.ts";
import { type Clone, openClone } from "./clone.ts";
import { findClone } from "./find-clone.ts";
import type { JsonObject } from "./json.ts";
import { toTrajectory } from "./parsed-run.ts";
import type { Source } from "./source.ts";
import type { WantedRun } from "./wanted-runs.ts";

/** How far a source was rebuilt. The three lists of run ids have each wanted run once. */
export interface SourceResult {
  readonly source: Source;
  readonly clone: "read" | "absent" | "at another commit";
  /** Undefined when the clone is absent. */
  readonly gitDirectory: string | undefined;
  readonly rebuilt: readonly string[];
  /** Runs that were found with another content than the labelled one. */
  readonly different: readonly string[];
  readonly notFound: readonly string[];
  /** Why reading stopped early. */
  readonly failure?: string | undefined;
}

/** Rebuilds the wanted runs of a source. Gives each run with the right hash to `write`. */
export async function rebuildSource(
  source: Source,
  wantedRuns: readonly WantedRun[],
  { clones, write }: { readonly clones: string; readonly write: (run: JsonObject) => Promise<void> },
): Promise<SourceResult> {
  const gitDirectory = findClone(clones, source.repository);
  const wanted = wantedRuns.filter((run) => run.source === source.name);
  const isRight = new Map<string, boolean>();
  if (gitDirectory === undefined) return { source, clone: "absent", gitDirectory, ...sortRuns(wanted, isRight) };

  let clone: Clone | undefined;
  let failure: string | undefined;
  try {
    clone = openClone(gitDirectory, source.commit);
    await checkRuns(source, clone, { wanted, isRight, write });
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  } finally {
    clone?.close();
  }
  const isOtherCommit = clone !== undefined && clone.commit !== source.commit;
  const state = isOtherCommit ? "at another commit" : "read";
  return { source, clone: state, gitDirectory, ...sortRuns(wanted, isRight), failure };
}

interface Check {
  readonly wanted: readonly WantedRun[];
  /** Which runs were found, and whether their hash is right. */
  readonly isRight: Map<string, boolean>;
  readonly write: (run: JsonObject) => Promise<void>;
}

async function checkRuns(source: Source, clone: Clone, { wanted, isRight, write }: Check): Promise<void> {
  const labels = new Map(wanted.map((run) => [run.runId, run]));
  const ids = {
    has: (runId: string) => labels.has(runId) && isRight.get(runId) !== true,
    hasBelow: (folder: string) => wanted.some(({ runId }) => runId.startsWith(`${folder}/`)),
  };
  for await (const parsed of source.readRuns(clone, ids)) {
    const label = labels.get(parsed.runId);
    if (label === undefined) continue;
    const run = toTrajectory(source.name, label.key, parsed);
    isRight.set(parsed.runId, runHash(run) === label.sha256);
    if (isRight.get(parsed.runId) === true) await write(run);
  }
}

function sortRuns(wanted: readonly WantedRun[], isRight: ReadonlyMap<string, boolean>) {
  const runsThatAre = (state: boolean | undefined) =>
    wanted.map(({ runId }) => runId).filter((runId) => isRight.get(runId) === state);
  return { rebuilt: runsThatAre(true), different: runsThatAre(false), notFound: runsThatAre(undefined) };
}
