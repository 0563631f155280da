import { expect, test } from "vitest";
import type { DiffLine } from "./diff-line.ts";
import { shortDiff } from "./short-diff.ts";
import { signed } from "./text-diff.ts";

const lines = (sign: "+" | "-", count: number) => signed(sign, `${sign} line\n`.repeat(count));
const texts = (diff: readonly DiffLine[]) => diff.map(({ sign, text }) => (sign === "…" ? text : sign));

test("removed lines are left out first, so that the new lines are seen", () => {
  expect(texts(shortDiff([...lines("-", 500), ...lines("+", 3), ...lines("-", 1)], 400))).toEqual([
    "not shown: 500 removed lines",
    "+",
    "+",
    "+",
    "not shown: 1 removed line",
  ]);
  expect(texts(shortDiff([...lines("-", 5), ...lines("+", 9)], 6)).slice(-2)).toEqual(["+", "not shown: 4 more lines"]);
});

test("a short change is shown whole", () => {
  const diff = [...lines("-", 3), ...lines("+", 3)];
  expect(shortDiff(diff, 6)).toBe(diff);
});
