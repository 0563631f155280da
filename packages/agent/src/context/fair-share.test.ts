import fc from "fast-check";
import { expect, test } from "vitest";
import { fairShare } from "./fair-share.ts";

test("small items stay whole and large items share the rest", () => {
  expect(fairShare([10, 1_000, 500, 20], 230)).toBe(100);
  expect(fairShare([10, 20], 30)).toBe(Number.POSITIVE_INFINITY);
  expect(fairShare([10, 20], -5)).toBe(0);
});

test("items cut to the fair share fit together", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(1_000)),
      fc.nat(5_000),
      (sizes, room) => sizes.reduce((sum, size) => sum + Math.min(size, fairShare(sizes, room)), 0) <= room,
    ),
  );
});
