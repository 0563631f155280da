import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashWord } from "./hash.ts";
import { addWord, hasWord, similarity, sketchOf, without, wordSet } from "./sketch.ts";

function sketch(hashes: readonly number[]): string {
  const set = wordSet();
  for (const hash of hashes) addWord(set, hash);
  return sketchOf(set);
}

const of = (...words: string[]) => sketch(words.map(hashWord));

describe("sketch", () => {
  test("small sets compare exactly", () => {
    expect(similarity(of("a", "b", "c"), of("b", "c", "d"))).toBe(0.5);
    expect(similarity(of("a"), of("a"))).toBe(1);
    expect(similarity(of("a"), of("b"))).toBe(0);
    expect(similarity("", "")).toBe(0);
  });

  test("large sets compare within a tenth or two", () => {
    const words = (from: number, to: number) =>
      sketch(Array.from({ length: to - from }, (_, i) => hashWord(`word${from + i}`)));
    expect(similarity(words(0, 2_000), words(1_000, 3_000))).toBeCloseTo(1 / 3, 0);
    expect(similarity(words(0, 2_000), words(100, 2_100))).toBeGreaterThan(0.75);
    expect(similarity(words(0, 2_000), words(5_000, 7_000))).toBeLessThan(0.1);
  });

  test("taking words out leaves the others", () => {
    expect(without(of("a", "b", "c"), of("b", "x"))).toBe(of("a", "c"));
    expect(hasWord(wordSet(of("a", "b")), hashWord("b"))).toBe(true);
    expect(hasWord(wordSet(of("a", "b")), hashWord("c"))).toBe(false);
  });

  test("a sketch is bounded, and JSON as it stands", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 500 }), (hashes) => {
        const made = sketch(hashes);
        expect(made.length).toBeLessThanOrEqual(40);
        expect(JSON.stringify(made)).toBe(`"${made}"`);
        expect(similarity(made, made)).toBe(made === "" ? 0 : 1);
      }),
    );
  });
});
