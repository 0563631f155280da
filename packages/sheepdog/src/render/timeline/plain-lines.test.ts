import fc from "fast-check";
import { expect, test } from "vitest";
import { widthOf } from "../terminal/width.ts";
import { plainLines } from "./plain-lines.ts";

test("lines break between words and keep their indentation", () => {
  expect(plainLines("one two  three\n  four five six\n\nend  ", 9)).toEqual([
    "one two",
    "three",
    "  four",
    "  five",
    "  six",
    "",
    "end",
  ]);
  expect(plainLines("ab abcdefghijk l", 5)).toEqual(["ab", "abcde", "fghij", "k l"]);
  expect(plainLines("羊羊羊 羊", 5)).toEqual(["羊羊", "羊 羊"]);
  expect(plainLines(`a${" ".repeat(50)}b`, 5)).toEqual(["a", "b"]);
});

test("no text is lost, and no line is wider than the limit", () => {
  const unit = fc.constantFrom("a", "word", "羊", "👩‍👩‍👧", "e\u0301", " ", "  ", "\n", "x".repeat(30));
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), fc.integer({ min: 4, max: 20 }), (units, width) => {
      const text = units.join("");
      const lines = plainLines(text, width);
      expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(/\s/g, ""));
      expect(Math.max(0, ...lines.map(widthOf))).toBeLessThanOrEqual(width);
    }),
  );
});

test("a word of millions of characters is broken into lines", () => {
  expect(plainLines("a".repeat(2_000_000), 80)).toHaveLength(25_000);
  expect(plainLines("羊".repeat(500_000), 80)).toHaveLength(12_500);
});
