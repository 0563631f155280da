import { expect, test } from "vitest";
import { repeatedSteps } from "./seed-aar.ts";

test.each([
  ["no step", [], 0],
  ["the first step", ["a"], 0],
  ["a step unlike the last", ["a", "a", "b"], 0],
  ["the fourth equal step", ["a", "a", "a", "a"], 3],
  ["a step that comes back after another", ["a", "a", "b", "a"], 0],
])("%s: repetitions are counted", (_, steps, count) => {
  expect(repeatedSteps(steps)).toBe(count);
});
