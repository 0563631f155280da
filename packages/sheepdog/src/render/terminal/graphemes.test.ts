import fc from "fast-check";
import { expect, test } from "vitest";
import { graphemes } from "./graphemes.ts";

const whole = (text: string) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);

test("characters are the same as of the whole text, wherever the pieces end", () => {
  for (const unit of ["é", "👩‍👩‍👧", "\r\n", "🇩🇪", "한", "a\u0301\u0302"]) {
    for (const before of [250, 253, 254, 255, 256, 257]) {
      const text = `${"x".repeat(before)}${unit.repeat(50)}`;
      expect([...graphemes(text)]).toEqual(whole(text));
    }
  }
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 600, size: "max" }), (text) => {
      expect([...graphemes(text)]).toEqual(whole(text));
    }),
    { numRuns: 30 },
  );
});

test("a character that never ends does not stop anybody", () => {
  const text = `a${"\u0301".repeat(5_000)}`;
  expect([...graphemes(text)].join("")).toBe(text);
});
