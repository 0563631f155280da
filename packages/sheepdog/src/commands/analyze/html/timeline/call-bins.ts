import type { CallRange } from "../../../../look-back/call-ranges.ts";

/** Calls in a row that are drawn as one bar. */
export interface CallBin {
  readonly calls: number;
  /** Those that repeat an earlier one. */
  readonly repeats: number;
  readonly failed: number;
}

/** More bars than this cannot be told apart. */
const MAX_BINS = 240;

/** The calls of a run as bars: one a call, or one for several in a row of a long run. */
export function callBins(
  calls: number,
  repeated: readonly CallRange[],
  failed: readonly CallRange[],
): readonly CallBin[] {
  const count = Math.min(calls, MAX_BINS);
  const start = (bin: number) => Math.round((bin * calls) / count);
  const repeats = binCounts(repeated, count, start);
  const failures = binCounts(failed, count, start);
  return Array.from({ length: count }, (_, bin) => ({
    calls: start(bin + 1) - start(bin),
    repeats: repeats[bin] ?? 0,
    failed: failures[bin] ?? 0,
  }));
}

/** How many calls of the ranges are in each bin. */
function binCounts(ranges: readonly CallRange[], count: number, start: (bin: number) => number): readonly number[] {
  const isIn = new Set(
    ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, n) => first + n)),
  );
  return Array.from({ length: count }, (_, bin) => {
    let sum = 0;
    for (let call = start(bin); call < start(bin + 1); call++) if (isIn.has(call)) sum++;
    return sum;
  });
}
