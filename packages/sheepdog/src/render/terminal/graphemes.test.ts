import fc from "fast-check";
import { expect, test } from "vitest";
import { graphemes } from "./graphemes.ts";

const segmentsOf = (text: string) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);

test("graphemes are those of the whole text, wherever a piece ends", () => {
  for (const unit of ["é", "👩‍👩‍👧", "\r\n", "🇩🇪", "한", "a\u0301\u0302"]) {
    for (const offset of [250, 253, 254, 255, 256, 257]) {
      const text = `${"x".repeat(offset)}${unit.repeat(50)}`;
      expect([...graphemes(text)]).toEqual(segmentsOf(text));
    }
  }
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 600, size: "max" }), (text) => {
      expect([...graphemes(text)]).toEqual(segmentsOf(text));
    }),
    { numRuns: 30 },
  );
});

test("a grapheme longer than a piece is split, and nothing is lost", () => {
  const text = `a${"\u0301".repeat(5_000)}`;
  expect([...graphemes(text)].join("")).toBe(text);
});
