/** Calls in a row, by their 0-based indexes; both ends belong to it. */
export type CallRange = readonly [first: number, last: number];

/** Ascending indexes as ranges: a long loop needs little memory. */
export function callRanges(indexes: readonly number[]): readonly CallRange[] {
  const ranges: [number, number][] = [];
  for (const index of indexes) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges;
}
