import type { LabelEntry } from "./labels.ts";
import { runHash } from "./run-hash.ts";

/** The runs that have a label. */
export interface MatchedRuns {
  /** The line of each run, once. */
  readonly lines: ReadonlyMap<LabelEntry, string>;
  /** The runs that differ from the run that was labelled, named. Their labels would count other calls. */
  readonly different: readonly string[];
}

/** Finds the label of each run. Lines of runs without a label are left out. */
export function matchRuns(runLines: readonly string[], entries: ReadonlyMap<string, LabelEntry>): MatchedRuns {
  const lines = new Map<LabelEntry, string>();
  const different: string[] = [];
  for (const line of runLines) {
    const run: { readonly id?: unknown } = JSON.parse(line);
    const entry = entries.get(String(run.id));
    if (entry === undefined || lines.has(entry)) continue;
    lines.set(entry, line);
    const hash = runHash(run);
    if (hash !== entry.sha256)
      different.push(`${entry.key} (${entry.source}, ${entry.runId}): expected hash ${entry.sha256}, got ${hash}`);
  }
  return { lines, different };
}
