import type { Skipped } from "@sheepdog/records";
import type { Scan } from "../look-back.ts";
import type { LookBackRun } from "../look-back-run.ts";

/** What a scan tells while it runs; `end` is the last event. Runs come in no particular order. */
export type ScanEvent =
  | { readonly type: "progress"; readonly progress: ScanProgress }
  | { readonly type: "run"; readonly run: LookBackRun }
  | { readonly type: "skipped"; readonly skipped: Skipped }
  | { readonly type: "end"; readonly scan: Scan };

/** How far a scan is. */
export interface ScanProgress {
  readonly files: number;
  readonly totalFiles: number;
  readonly bytes: number;
  readonly totalBytes: number;
  /** How fast files are read, without those from the cache; 0 until the first has been read. */
  readonly bytesPerSecond: number;
}
