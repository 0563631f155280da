/** The rows of a long list that are near the visible part, and the space of those before and after them. */
export interface RowWindow {
  readonly first: number;
  /** After the last one. */
  readonly end: number;
  readonly before: number;
  readonly after: number;
}

/** The offsets of rows: entry i is where row i begins, the last entry is the height of all. */
export function offsetsOf(heights: readonly number[]): Float64Array {
  const offsets = new Float64Array(heights.length + 1);
  heights.forEach((height, index) => {
    offsets[index + 1] = (offsets[index] ?? 0) + height;
  });
  return offsets;
}

/** The window for a part of the list, from `top` to `bottom` in pixels from its beginning. */
export function windowOf(offsets: Float64Array, top: number, bottom: number): RowWindow {
  const count = offsets.length - 1;
  const total = offsets[count] ?? 0;
  const first = Math.min(count, Math.max(0, rowAt(offsets, top)));
  const end = Math.min(count, Math.max(first, rowAt(offsets, bottom) + 1));
  return { first, end, before: offsets[first] ?? 0, after: total - (offsets[end] ?? total) };
}

/** The row at a place, by halving. */
function rowAt(offsets: Float64Array, place: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle + 1] ?? Number.POSITIVE_INFINITY) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
