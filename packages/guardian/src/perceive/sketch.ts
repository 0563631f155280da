import type { Sketch } from "./print.ts";

const SIZE = 40;
/** One character a word, from a stretch of Unicode that needs no escape in JSON and has no surrogates: three bytes each in UTF-8. */
const FIRST = 0x0800;
const UNIVERSE = 0xd800 - FIRST;

/** The most characters a sketch has. */
export const SKETCH_LENGTH: number = SIZE;

/** Collects hashed words and keeps the smallest. */
export interface Collector {
  add(hash: number): void;
  /** A word whose upper half is larger than this would not be kept: ask before adding where time counts. */
  limit: number;
  sketch(): Sketch;
}

/** A collector of the smallest distinct words, kept in order while they come in. */
export function collector(): Collector {
  const smallest = new Uint16Array(SIZE + 1);
  const latest = new Int32Array(256); // words come again and again: most are told to be known by one look
  let size = 0;
  const words: Collector = {
    limit: 0xffff,
    add(hash) {
      if (hash >>> 16 > words.limit || latest[hash & 255] === hash) return;
      latest[hash & 255] = hash;
      const value = place(hash);
      let at = size;
      let known = at === 0 ? 0 : (smallest[at - 1] as number); // within its length by the bounds of the loop, here and below
      while (known > value) {
        smallest[at] = known;
        known = --at === 0 ? 0 : (smallest[at - 1] as number);
      }
      smallest[at] = value;
      if (known === value) smallest.copyWithin(at, at + 1, size + 1);
      else if (size < SIZE) size++;
      if (size === SIZE) words.limit = Math.ceil((((smallest[SIZE - 1] as number) - FIRST + 1) / UNIVERSE) * 0x10000);
    },
    sketch: () => String.fromCharCode(...smallest.subarray(0, size)),
  };
  return words;
}

/** The sketch of some hashed words. */
export function sketchOf(hashes: Iterable<number>): Sketch {
  const words = collector();
  for (const hash of hashes) words.add(hash);
  return words.sketch();
}

/** Jaccard similarity, 0 to 1: exact for sets that fit the sketch, estimated from the smallest hashes beyond. An empty set resembles nothing. */
export function similarity(a: Sketch, b: Sketch): number {
  if (a.length === 0 || b.length === 0) return 0;
  if (a === b) return 1;
  const limit = a.length === SIZE || b.length === SIZE ? SIZE : a.length + b.length;
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
  let left = "";
  for (const word of sketch) if (!taken.includes(word)) left += word;
  return left;
}

/** The words of a sketch as bits, for callers that ask for many. */
export type WordBits = Uint8Array;

export function bitsOf(sketch: Sketch): WordBits {
  const bits = new Uint8Array(UNIVERSE >> 3);
  for (let i = 0; i < sketch.length; i++) {
    const value = sketch.charCodeAt(i) - FIRST;
    bits[value >> 3] = (bits[value >> 3] as number) | (1 << (value & 7)); // a sketch holds places of the universe only
  }
  return bits;
}

/** Whether a hashed word is among them. */
export function isAmong(bits: WordBits, hash: number): boolean {
  const value = place(hash) - FIRST;
  return ((bits[value >> 3] as number) & (1 << (value & 7))) !== 0; // `place` stays within the universe
}

/** The character of a hash, by its upper half: the order stays. */
function place(hash: number): number {
  return FIRST + (Math.imul(hash >>> 16, UNIVERSE) >>> 16);
}
