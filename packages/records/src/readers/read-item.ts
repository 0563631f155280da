import type { Skipped } from "../analyze/report.ts";
import type { RecordedRun } from "../trajectory/recorded-run.ts";

/** What a reader finds in a recording, in the order it stands there. */
export type ReadItem =
  | { readonly type: "run"; readonly run: RecordedRun; readonly file: string; readonly line: number }
  | { readonly type: "skipped"; readonly skipped: Skipped };

/** A line, or with line 0 a whole file, that could not be read. */
export function skip(file: string, line: number, why: string): ReadItem {
  return { type: "skipped", skipped: { file, line, why } };
}
