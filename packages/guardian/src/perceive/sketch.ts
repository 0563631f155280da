import type { Sketch } from "./print.ts";

/** The number of words that a sketch stores, one character each. */
const SKETCH_LENGTH = 40;

/** The characters of a sketch: a range of Unicode that needs no escape in JSON and has no surrogates. */
const FIRST = 0x0800;
const CHARACTER_COUNT = 0xd800 - FIRST;

/** A set of hashed words, each as the character code that stands for it in a sketch. */
export type WordSet = Set<number>;

/** The words of a sketch as a set. */
export function wordSet(sketch: Sketch = ""): WordSet {
  return new Set(Array.from(sketch, (character) => character.charCodeAt(0)));
}

/** Adds a hashed word. */
export function addWord(words: WordSet, hash: number): void {
  words.add(characterCode(hash));
}

/** Whether a hashed word is in the set. */
export function hasWord(words: WordSet, hash: number): boolean {
  return words.has(characterCode(hash));
}

/** The sketch of a set: its smallest hashes. Complete for small sets, a fair sample of large ones. */
export function sketchOf(words: WordSet): Sketch {
  return String.fromCharCode(...Uint16Array.from(words).sort().subarray(0, SKETCH_LENGTH));
}

/**
 * Jaccard similarity, 0 to 1: exact for sets that fit the sketch, estimated from the smallest hashes beyond.
 * An empty set resembles nothing.
 */
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

/** The words of `sketch` that are not in `excluded`. */
export function without(sketch: Sketch, excluded: Sketch): Sketch {
  return [...sketch].filter((word) => !excluded.includes(word)).join("");
}

/** The character that stands for a hash, chosen by its upper half. */
function characterCode(hash: number): number {
  return FIRST + (Math.imul(hash >>> 16, CHARACTER_COUNT) >>> 16);
}
