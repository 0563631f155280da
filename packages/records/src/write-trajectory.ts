import type { RecordedRun } from "./run.ts";

/** A run as one line of trajectory JSONL, newline included. */
export function trajectoryLine(run: RecordedRun): string {
  return `${JSON.stringify(run)}\n`;
}
