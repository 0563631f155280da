import { expect, test } from "vitest";
import { timesOf } from "./times-of.ts";

test("only what is counted in times is told as times", () => {
  expect(timesOf({ detector: "doom-loop", count: 4 })).toBe(4);
  expect(timesOf({ detector: "doom-loop", count: 1 })).toBeUndefined();
  expect(timesOf({ detector: "stall", count: 3 })).toBeUndefined();
  expect(timesOf({ detector: "run-cost", count: 360_000_000 })).toBeUndefined();
});
