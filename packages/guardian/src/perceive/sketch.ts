import type { Sketch } from "./print.ts";

/** The most words a sketch keeps, one character each. */
const SKETCH_LENGTH = 40;

/** The characters: a stretch of Unicode that needs no escape in JSON and has no surrogates; three bytes each in UTF-8. */
const FIRST = 0x0800;
const UNIVERSE = 0xd800 - FIRST;

/** A set of hashed words, one bit for each place of the universe; behind those one bit for every 32 places that are not all empty, so that few words are found fast. */
export type WordSet = Int32Array;

/** Where the second kind begins. */
const INDEX = UNIVERSE / 32;

/** An empty set, or one of the words of a sketch. */
export function wordSet(sketch: Sketch = ""): WordSet {
  const set = spare.pop() ?? new Int32Array(INDEX + INDEX / 32);
  for (let i = 0; i < sketch.length; i++) addPlace(set, sketch.charCodeAt(i) - FIRST);
  return set;
}

/** Adds a hashed word. */
export function addWord(set: WordSet, hash: number): void {
  addPlace(set, placeOf(hash));
}

/** Whether a hashed word is in the set. */
export function hasWord(set: WordSet, hash: number): boolean {
  const place = placeOf(hash);
  return ((set[place >> 5] as number) & (1 << (place & 31))) !== 0; // within the universe, by `placeOf`
}

/** Sets that were used up, empty again: to make one anew costs more than all that is done with it. */
const spare: WordSet[] = [];

/** Where the characters of a sketch are gathered. */
const codes = new Array<number>(SKETCH_LENGTH).fill(0);

/** The sketch of a set, which is used up by it: its smallest words. Whole for small sets, a fair sample of large ones. */
export function sketchOf(set: WordSet): Sketch {
  let length = 0;
  for (let i = INDEX; i < set.length && length < SKETCH_LENGTH; i++) {
    for (let some = set[i] as number; some !== 0; some &= some - 1) {
      const place = (i - INDEX) * 32 + lowest(some);
      for (let rest = set[place] as number; rest !== 0 && length < SKETCH_LENGTH; rest &= rest - 1)
        codes[length++] = FIRST + place * 32 + lowest(rest);
    }
  }
  giveBack(set);
  return String.fromCharCode(...codes.slice(0, length));
}

/** A set that nobody asks any more. */
export function giveBack(set: WordSet): void {
  if (spare.length < 4) spare.push(set.fill(0));
}

/** The place of the lowest bit that is set. */
function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

/** Jaccard similarity, 0 to 1: exact for sets that fit the sketch, estimated from the smallest hashes beyond. An empty set resembles nothing. */
export function similarity(a: Sketch, b: Sketch): number {
  if (a.length === 0 || b.length === 0) return 0;
  if (a === b) return 1;
  const limit = a.length === SKETCH_LENGTH || b.length === SKETCH_LENGTH ? SKETCH_LENGTH : a.length + b.length;
  let shared = 0;
  let union = 0;
  let i = 0;
  let j = 0;
  while (union < limit && i < a.length && j < b.length) {
    const order = a.charCodeAt(i) - b.charCodeAt(j);
    if (order === 0) shared++;
    if (order <= 0) i++;
    if (order >= 0) j++;
    union++;
  }
  return shared / Math.min(limit, union + (a.length - i) + (b.length - j));
}

/** The words of `sketch` that `taken` does not hold. */
export function without(sketch: Sketch, taken: Sketch): Sketch {
  if (sketch.length === 0 || taken.length === 0) return sketch;
  return [...sketch].filter((word) => !taken.includes(word)).join("");
}

function addPlace(set: WordSet, place: number): void {
  const at = place >> 5; // within the universe: places come from hashes and sketches only
  set[at] = (set[at] as number) | (1 << (place & 31));
  set[INDEX + (at >> 5)] = (set[INDEX + (at >> 5)] as number) | (1 << (at & 31));
}

/** The place of a hash, by its upper half. */
function placeOf(hash: number): number {
  return Math.imul(hash >>> 16, UNIVERSE) >>> 16;
}
