import type { LabelEntry } from "./labels.ts";
import { runHash } from "./run-hash.ts";

/**
 * The lines of the runs that have a label, each run once. Throws if a run differs from the one that was labelled: its
 * label would count other calls.
 */
export function matchRuns(
  lines: readonly string[],
  entries: ReadonlyMap<string, LabelEntry>,
): ReadonlyMap<LabelEntry, string> {
  const matched = new Map<LabelEntry, string>();
  const different: string[] = [];
  for (const line of lines) {
    const run: { readonly id?: unknown } = JSON.parse(line);
    const entry = entries.get(String(run.id));
    if (entry === undefined || matched.has(entry)) continue;
    matched.set(entry, line);
    const hash = runHash(run);
    if (hash !== entry.sha256)
      different.push(`${entry.key} (${entry.source}, ${entry.runId}): expected ${entry.sha256}, got ${hash}`);
  }
  if (different.length > 0)
    throw new Error(
      `${different.length} runs are not the runs that were labelled, by their hash:\n${different.join("\n")}`,
    );
  return matched;
}
