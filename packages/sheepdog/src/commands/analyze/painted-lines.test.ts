import { expect, test } from "vitest";
import { besideEachOther, paintedLines } from "./painted-lines.ts";

const plain = (text: string) => text;
const loud = (text: string) => `<${text}>`;

test("lines break between words, a long word breaks too, and colours take no columns", () => {
  const parts = [
    { text: "one two ", paint: plain },
    { text: "three", paint: loud },
    { text: " abcdefghijkl", paint: plain },
  ];
  expect(paintedLines(parts, { width: 8, maxLines: 9 })).toEqual([
    { text: "one two", width: 7 },
    { text: "<three>", width: 5 },
    { text: "abcdefgh", width: 8 },
    { text: "ijkl", width: 4 },
  ]);
});

test("what is left out is marked", () => {
  const parts = [{ text: "a b c d", paint: plain }];
  expect(paintedLines(parts, { width: 1, maxLines: 3 }).map(({ text }) => text)).toEqual(["a", "b", "…"]);
});

test("two columns stand side by side", () => {
  const [left, right] = ["a b", "c"].map((text) => paintedLines([{ text, paint: loud }], { width: 1, maxLines: 5 }));
  expect(besideEachOther(left ?? [], right ?? [], 4)).toEqual(["<a>   <c>", "<b>"]);
});
