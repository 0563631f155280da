import type { CountingNotes, RecordedStep } from "../trajectory/recorded-run.ts";

/** The counts that are not 0; undefined without any. */
export function countingNotes(counts: CountingNotes): CountingNotes | undefined {
  const entries = Object.entries(counts).filter(([, count]) => count > 0);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The number of replies without any usage. */
export function countWithoutUsage(steps: readonly RecordedStep[]): number {
  return steps.filter(({ usage }) => usage === undefined).length;
}
