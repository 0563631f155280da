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

test.each([63, 64, 65, 66, 127, 500, 8_191, 8_192, 8_193, 20_000])(
  "in a text of %i characters it finds a word wherever it stands, and no other",
  (length) => {
    const finder = createWordFinder(["token", "authorization", "-----begin "]);
    const places = [...Array(40).keys()].flatMap((near) => [
      near,
      Math.floor(length / 2) - near,
      4_096 - near,
      8_192 - near,
      length - near,
    ]);
    for (const word of ["Token", "authorization", "-----BEGIN "]) {
      for (const place of places.filter((start) => start >= 0 && start + word.length <= length)) {
        const text = `${".".repeat(place)}${word}`.padEnd(length, "…");
        expect(finder.isIn(text, 0, length)).toBe(true);
        expect(finder.isIn(text, 0, place + word.length - 1)).toBe(false);
        expect(finder.isIn(text, place + 1, length)).toBe(false);
      }
    }
  },
);

test("a word that ends beyond the place where the search ends is not found", () => {
  const finder = createWordFinder(["token"]);
  expect(finder.isIn("a token", 0, 6)).toBe(false);
  expect(finder.isIn("a token", 0, 7)).toBe(true);
});
