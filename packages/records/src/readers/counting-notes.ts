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

/** Nothing that calls a tool, and no long text, is this short. */
const MAX_PARTIAL_TOKENS = 10;
const LONG_TEXT_CHARS = 200;

/** The number of replies whose output tokens are only those of the beginning of the stream. */
export function countPartialOutput(steps: readonly RecordedStep[]): number {
  return steps.filter(({ usage, calls, text }) => {
    const tokens = usage?.outputTokens ?? 0;
    return tokens > 0 && tokens <= MAX_PARTIAL_TOKENS && (calls.length > 0 || text.length > LONG_TEXT_CHARS);
  }).length;
}
