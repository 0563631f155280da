import fc from "fast-check";
import { expect, test } from "vitest";
import { waterLine } from "./fair-share.ts";

test("small ones stay whole and the large ones share what is left", () => {
  expect(waterLine([10, 1_000, 500, 20], 230)).toBe(100);
  expect(waterLine([10, 20], 30)).toBe(Number.POSITIVE_INFINITY);
  expect(waterLine([10, 20], -5)).toBe(0);
});

test("cut at the line all together fit", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(1_000)),
      fc.nat(5_000),
      (sizes, room) => sizes.reduce((sum, size) => sum + Math.min(size, waterLine(sizes, room)), 0) <= room,
    ),
  );
});
