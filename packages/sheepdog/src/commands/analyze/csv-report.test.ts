import { expect, test } from "vitest";
import { csvCell } from "./csv-report.ts";

test.each([
  [null, ""],
  [-1.5, "-1.5"],
  ["plain text", "plain text"],
  ['say "no", twice', '"say ""no"", twice"'],
  ["two\nlines", "two lines"],
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'=1"],
  ["\n=1", "'=1"],
  ["\r=1", "'=1"],
  [" =1", "'=1"],
  ["\u200b=1", "'=1"],
  ["＝1", "'＝1"],
  ["＋1", "'＋1"],
  ["－1", "'－1"],
  ["＠A1", "'＠A1"],
  ["\u001b]0;owned\u0007\u009b31mtext\u202e", "text"],
])("the cell of %j is %j", (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});
