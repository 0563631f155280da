import type { RecordedRun } from "./trajectory/recorded-run.ts";

/** A run as one line of trajectory JSONL, newline included. */
export function trajectoryLine(run: RecordedRun): string {
  return `${JSON.stringify(run)}\n`;
}
