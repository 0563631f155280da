import { expect, test } from "vitest";
import { csvCell } from "./csv-report.ts";

test.each([
  [null, ""],
  [-1.5, "-1.5"],
  ["plain text", "plain text"],
  ['say "no", twice', '"say ""no"", twice"'],
  ["two\nlines", '"two\nlines"'],
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
])("the cell of %j is %j", (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});
