import { expect, test } from "vitest";
import { readAmount } from "./read-amount.ts";

test("amounts are read with either sign for decimals, and with separated thousands", () => {
  expect(["5", " 2.5 ", "2,5", ".5", "1,000", "1,234.50", "0"].map(readAmount)).toEqual([
    5, 2.5, 2.5, 0.5, 1_000, 1_234.5, 0,
  ]);
});

test("other texts are no amounts", () => {
  expect(["", "-1", "1e9", "five", "$5"].map(readAmount)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
