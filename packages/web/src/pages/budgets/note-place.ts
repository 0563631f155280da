/** Where the words about a bar stand: percentages from the left and from the top. */
export interface NotePlace {
  readonly isLeft: boolean;
  readonly y: number;
  /** The words stand above other bars, so that a line leads to theirs. */
  readonly isAbove: boolean;
}

/** The share of the chart that the words take. */
const WIDTH = 30;
const HEIGHT = 15;

/** Places words beside the top of a bar, or above the bars that would be covered by them. `tops` are from the top. */
export function placeNote(tops: readonly number[], index: number): NotePlace {
  const isLeft = index >= tops.length / 2;
  const count = Math.ceil((tops.length * WIDTH) / 100);
  const neighbours = isLeft ? tops.slice(Math.max(0, index - count), index) : tops.slice(index + 1, index + 1 + count);
  const highest = Math.min(100, ...neighbours);
  const top = tops[index] ?? 100;
  if (top + HEIGHT <= highest) return { isLeft, y: top, isAbove: false };
  return { isLeft, y: Math.max(0, Math.min(highest, top) - HEIGHT - 3), isAbove: true };
}
