import fc from "fast-check";
import { expect, test } from "vitest";
import { createWordFinder } from "./word-finder.ts";

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "-"), minLength: 1, maxLength: 5 });
const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "A", "B", "-", "é", "\u212a"), maxLength: 24 });

test("it finds what a search for each word finds, whatever the words", () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), text, fc.nat(24), (words, given, from) => {
      const expected = words.some((one) => given.slice(from).toLowerCase().includes(one));
      expect(createWordFinder(words).isIn(given, from, given.length)).toBe(expected);
    }),
    { numRuns: 5_000 },
  );
});

test("a word that ends beyond the place where the search ends is not found", () => {
  const finder = createWordFinder(["token"]);
  expect(finder.isIn("a token", 0, 6)).toBe(false);
  expect(finder.isIn("a token", 0, 7)).toBe(true);
});
