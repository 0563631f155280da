import type { Sketch } from "./print.ts";

/** The most words a sketch keeps. */
const SKETCH_SIZE = 40;

const WIDTH = 3;
const BASE = 57;
const FIRST = 35; // "#". The characters 35…91 are printable, need no escape in JSON, and sort as their values do.
const UNIVERSE = BASE ** WIDTH;
/** The most characters a sketch has. */
export const SKETCH_LENGTH: number = SKETCH_SIZE * WIDTH;

/** Packs the smallest distinct hashes, in ascending order. */
export function sketchOf(hashes: Iterable<number>): Sketch {
  const reduced = new Set<number>();
  for (const hash of hashes) reduced.add((hash >>> 0) % UNIVERSE);
  const sorted = Uint32Array.from(reduced).sort();
  let sketch = "";
  for (const value of sorted.length > SKETCH_SIZE ? sorted.subarray(0, SKETCH_SIZE) : sorted) sketch += pack(value);
  return sketch;
}

/** How many words a sketch holds. */
export function sketchSize(sketch: Sketch): number {
  return sketch.length / WIDTH;
}

/** Jaccard similarity, 0 to 1: exact for sets that fit the sketch, estimated from the smallest hashes beyond. An empty set resembles nothing. */
export function similarity(a: Sketch, b: Sketch): number {
  if (a.length === 0 || b.length === 0) return 0;
  if (a === b) return 1;
  const limit = a.length >= SKETCH_LENGTH || b.length >= SKETCH_LENGTH ? SKETCH_SIZE : Number.POSITIVE_INFINITY;
  let shared = 0;
  let union = 0;
  let i = 0;
  let j = 0;
  while (union < limit && (i < a.length || j < b.length)) {
    const order = valueAt(a, i) - valueAt(b, j);
    if (order === 0) shared++;
    if (order <= 0) i += WIDTH;
    if (order >= 0) j += WIDTH;
    union++;
  }
  return shared / union;
}

/** The words of `sketch` that `taken` does not hold. */
export function without(sketch: Sketch, taken: Sketch): Sketch {
  if (sketch.length === 0 || taken.length === 0) return sketch;
  let left = "";
  let j = 0;
  for (let i = 0; i < sketch.length; i += WIDTH) {
    const value = valueAt(sketch, i);
    while (valueAt(taken, j) < value) j += WIDTH;
    if (valueAt(taken, j) !== value) left += sketch.slice(i, i + WIDTH);
  }
  return left;
}

/** A test for membership, for callers that ask for many hashes. */
export function holds(sketch: Sketch): (hash: number) => boolean {
  const values = new Set<number>();
  for (let i = 0; i < sketch.length; i += WIDTH) values.add(valueAt(sketch, i));
  return (hash) => values.has((hash >>> 0) % UNIVERSE);
}

function pack(value: number): string {
  return String.fromCharCode(FIRST + Math.floor(value / (BASE * BASE)), FIRST + (Math.floor(value / BASE) % BASE), FIRST + (value % BASE));
}

/** The packed value at a position; past the end, one that is larger than all. */
function valueAt(sketch: Sketch, i: number): number {
  if (i >= sketch.length) return UNIVERSE;
  return (sketch.charCodeAt(i) - FIRST) * BASE * BASE + (sketch.charCodeAt(i + 1) - FIRST) * BASE + sketch.charCodeAt(i + 2) - FIRST;
}
