import type { RecordedRun } from "../trajectory/recorded-run.ts";
import type { ReadFailure } from "./read-failure.ts";

/** A line, or a whole file (line 0), that could not be read. */
export interface Skipped {
  readonly file: string;
  readonly line: number;
  readonly why: string;
  /** The number of lines that this is about; default: 1. */
  readonly lines?: number;
}

/** One result of a reader, in the order of the recording. */
export type ReadItem =
  | { readonly type: "run"; readonly run: RecordedRun; readonly file: string; readonly line: number }
  | SkippedItem;

/** The reader's result for a line or file that could not be read. */
export interface SkippedItem {
  readonly type: "skipped";
  readonly skipped: Skipped;
  /** Present when this is not about the content, as without permission: the same file may be read another time. */
  readonly isTemporary?: true;
}

/** Creates the item for a line, or with line 0 for a whole file, that could not be read. */
export function skip(file: string, line: number, why: string): SkippedItem {
  return { type: "skipped", skipped: { file, line, why } };
}

/** Creates the item for a failure after which nothing more of a file was read. */
export function skipRest(file: string, line: number, { why, isTemporary }: ReadFailure): SkippedItem {
  return { ...skip(file, line, why), ...(isTemporary ? { isTemporary } : {}) };
}

/**
 * Creates the item for a run that begins at a line of a file. Where runs have no lines, as in a database or a folder,
 * it is the ordinal of the run, counted from 1.
 */
export function runItem(run: RecordedRun, file: string, line = 1): ReadItem {
  return { type: "run", run, file, line };
}
