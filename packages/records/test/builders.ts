import type { ReadItem, RecordedCall, RecordedRun, RecordedStep, Skipped } from "../src/index.ts";

/** A call that succeeded, or as `more` says. */
export function call(name: string, args: unknown, result: unknown, more: Partial<RecordedCall> = {}): RecordedCall {
  return { name, args, result, isError: false, ...more };
}

/** A step with these calls. */
export function calls(...made: readonly RecordedCall[]): Omit<RecordedStep, "turn"> {
  return { text: "", calls: made };
}

/** A step that only says something. */
export function says(text: string): Omit<RecordedStep, "turn"> {
  return { text, calls: [] };
}

/** A run of these steps, turns counted from 0. */
export function run(steps: readonly Omit<RecordedStep, "turn">[], more: Partial<RecordedRun> = {}): RecordedRun {
  return { id: "r", ...more, steps: steps.map((step, turn) => ({ turn, ...step })) };
}

/** The same step, again and again. */
export function times(count: number, step: Omit<RecordedStep, "turn">): Omit<RecordedStep, "turn">[] {
  return Array.from({ length: count }, () => step);
}

/** Some chunks as a file would hand them out. */
export async function* bytes(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

/** Everything a reader found, runs and skips apart. */
export async function collected(items: AsyncIterable<ReadItem>): Promise<{ runs: RecordedRun[]; skipped: Skipped[] }> {
  const runs: RecordedRun[] = [];
  const skipped: Skipped[] = [];
  for await (const item of items) {
    if (item.type === "run") runs.push(item.run);
    else skipped.push(item.skipped);
  }
  return { runs, skipped };
}
