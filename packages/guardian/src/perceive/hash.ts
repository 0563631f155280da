import type { Digest } from "./print.ts";

/** The initial value of every hash. */
export const SEED: number = 0x811c9dc5 | 0;

const PRIME = 0x01000193;

/** One step of a 32-bit hash (FNV-1a). */
export function grow(hash: number, code: number): number {
  return Math.imul(hash ^ code, PRIME);
}

/** Spreads a finished hash over all its bits. */
export function mix(hash: number): number {
  const h = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return h ^ (h >>> 13);
}

/** The hash of a whole word, equal to the hash that a scan makes of it. */
export function hashWord(word: string): number {
  let hash = SEED;
  for (let i = 0; i < word.length; i++) hash = grow(hash, word.charCodeAt(i));
  return mix(hash);
}

/** A hash as text, in base 36. */
export function hashText(hash: number): string {
  return (hash >>> 0).toString(36);
}

/** A fast digest in plain JavaScript, not cryptographic: enough to tell the calls of one run apart. */
export const plainDigest: Digest = {
  name: "plain-1",
  of(content) {
    let a = SEED;
    let b = 0x1b873593;
    for (let i = 0; i < content.length; i++) {
      const code = content.charCodeAt(i);
      a = grow(a, code);
      b = Math.imul(b ^ code, 0x5bd1e995) ^ (b >>> 13);
    }
    return hashText(mix(a)) + hashText(mix(b ^ content.length));
  },
};
