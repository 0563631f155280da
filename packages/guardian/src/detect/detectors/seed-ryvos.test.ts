import { expect, test } from "vitest";
import { equalTail } from "./seed-ryvos.ts";

test.each([
  ["nothing", [], 0],
  ["one key", ["a"], 1],
  ["different keys", ["a", "b"], 1],
  ["equal keys", ["a", "a", "a"], 3],
  ["equal keys after another", ["a", "b", "a", "a"], 2],
])("%s: the equal tail is counted", (_, keys, count) => {
  expect(equalTail(keys)).toBe(count);
});

test("the caller may say what is equal", () => {
  expect(equalTail(["x", "a", "A", "a"], (a, b) => a.toLowerCase() === b.toLowerCase())).toBe(3);
});
