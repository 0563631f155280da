import type { Digest } from "./print.ts";

/** Where every word hash starts; see `grow`. */
export const SEED = 0x811c9dc5;

/** One step of a word hash (FNV-1a). */
export function grow(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** The hash of a whole word, as `scan` makes it. */
export function hashWord(word: string): number {
  let hash = SEED;
  for (let i = 0; i < word.length; i++) hash = grow(hash, word.charCodeAt(i));
  return hash;
}

/** An ordered hash of what is added to it, in two 32-bit lanes. */
export interface Lanes {
  a: number;
  b: number;
}

export function lanes(): Lanes {
  return { a: 0x9e3779b1, b: 0x85ebca77 };
}

export function add(to: Lanes, value: number): void {
  to.a = Math.imul(to.a ^ value, 0x85ebca6b);
  to.a ^= to.a >>> 13;
  to.b = Math.imul(to.b + value, 0xc2b2ae35);
  to.b ^= to.b >>> 16;
}

/** The lanes as eleven characters or fewer. */
export function text(of: Lanes): string {
  return ((of.a >>> 0) * 0x200000 + (of.b >>> 11)).toString(36);
}

/** Plain JavaScript, fast, not cryptographic: enough to tell one run's calls apart. Callers on Node pass SHA-256. */
export const plainDigest: Digest = {
  name: "plain-1",
  of(content) {
    const of = lanes();
    for (let i = 0; i < content.length; i++) add(of, content.charCodeAt(i));
    return text(of);
  },
};
