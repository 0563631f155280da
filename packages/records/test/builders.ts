import type { ReadItem, RecordedCall, RecordedRun, RecordedStep, Skipped } from "../src/index.ts";

/** A call that succeeded, unless `more` says otherwise. */
export function call(name: string, args: unknown, result: unknown, more: Partial<RecordedCall> = {}): RecordedCall {
  return { name, args, result, isError: false, ...more };
}

/** A step with these calls. */
export function calls(...made: readonly RecordedCall[]): Omit<RecordedStep, "turn"> {
  return { text: "", calls: made };
}

/** A step with text and no calls. */
export function says(text: string): Omit<RecordedStep, "turn"> {
  return { text, calls: [] };
}

/** A run of these steps, turns counted from 0. */
export function run(steps: readonly Omit<RecordedStep, "turn">[], more: Partial<RecordedRun> = {}): RecordedRun {
  return { id: "r", ...more, steps: steps.map((step, turn) => ({ turn, ...step })) };
}

/** The same step `count` times. */
export function times(count: number, step: Omit<RecordedStep, "turn">): Omit<RecordedStep, "turn">[] {
  return Array.from({ length: count }, () => step);
}

/** Chunks as a file stream yields them. */
export async function* bytes(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

/** The runs and the skipped items of a reader. */
export async function collected(items: AsyncIterable<ReadItem>): Promise<{ runs: RecordedRun[]; skipped: Skipped[] }> {
  const runs: RecordedRun[] = [];
  const skipped: Skipped[] = [];
  for await (const item of items) {
    if (item.type === "run") runs.push(item.run);
    else skipped.push(item.skipped);
  }
  return { runs, skipped };
}
