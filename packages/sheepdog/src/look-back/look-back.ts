import type { Skipped } from "@sheepdog/records";
import type { LookBackRun } from "./look-back-run.ts";

/** The recordings of a machine, or at some paths, and what the guardian finds in them. */
export interface LookBack {
  /** Newest first. The costs of a stuck run count the subagents that it started in circles. */
  readonly runs: readonly LookBackRun[];
  /** The ids of subagents that were started in circles: all they cost is in the loop of the run above them. */
  readonly insideLoops: ReadonlySet<string>;
  readonly scan: Scan;
}

/** What was read. */
export interface Scan {
  readonly places: readonly ScannedPlace[];
  readonly files: number;
  readonly bytes: number;
  /** Files whose runs came from the cache. */
  readonly cachedFiles: number;
  readonly ms: number;
  /** The first hundred; `skippedCount` counts all. */
  readonly skipped: readonly Skipped[];
  readonly skippedCount: number;
}

/** A standard place of an agent, or a path that the user gave. */
export interface ScannedPlace {
  /** "Claude Code"; null for a path that the user gave. */
  readonly agent: string | null;
  readonly path: string;
  readonly files: number;
  readonly runs: number;
}
