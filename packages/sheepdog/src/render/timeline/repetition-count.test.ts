import { expect, test } from "vitest";
import { repetitionCount } from "./repetition-count.ts";

test("only repetitions have a count", () => {
  expect(repetitionCount({ detector: "doom-loop", count: 4 })).toBe(4);
  expect(repetitionCount({ detector: "doom-loop", count: 1 })).toBeUndefined();
  expect(repetitionCount({ detector: "stall", count: 3 })).toBeUndefined();
  expect(repetitionCount({ detector: "run-cost", count: 360_000_000 })).toBeUndefined();
});
