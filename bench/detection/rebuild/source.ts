import type { Clone } from "./clone.ts";
import type { ParsedRun } from "./parsed-run.ts";

/** Where the runs of one source are, and how they are read. */
export interface Source {
  /** The name of the source in the labels. */
  readonly name: string;
  /** The public repository, `owner/name` on GitHub. */
  readonly repository: string;
  /** The commit from which the runs were labelled. */
  readonly commit: string;
  /** The licence as the repository states it. */
  readonly licence: string;
  /** Refs to fetch after `git clone`, where runs are in pull requests only. */
  readonly furtherRefs?: readonly string[];
  /** Reads the wanted runs, and no more files than that needs. */
  readonly readRuns: (clone: Clone, wanted: WantedIds) => ParsedRuns;
}

/** The ids of the runs that are wanted. */
export interface WantedIds {
  has(runId: string): boolean;
  /** Whether a run is wanted whose id begins with this folder. */
  hasBelow(folder: string): boolean;
}

export type ParsedRuns = AsyncGenerator<ParsedRun>;
