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
  /** A ref to fetch after `git clone`, where the runs are not on a branch. */
  readonly furtherRefs?: string;
  /** Reads the wanted runs, and no more files than that needs. */
  readonly readRuns: (clone: Clone, isWanted: IsWanted) => ParsedRuns;
}

/** Whether a run has a label that is wanted. */
export type IsWanted = (runId: string) => boolean;
export type ParsedRuns = AsyncGenerator<ParsedRun>;
