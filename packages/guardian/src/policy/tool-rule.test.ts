import { expect, test } from "vitest";
import { matchesGlob } from "./tool-rule.ts";

test.each([
  ["bash", "Bash", true],
  ["mcp__*__read", "mcp__fs__read", true],
  ["get_?", "get_a", true],
  ["get_?", "get_ab", false],
  ["*", "", true],
  ["a*b*c", "aXbYbZc", true],
  ["a*b", "a*bc", false],
])("%s against %s: %s", (glob, name, matches) => {
  expect(matchesGlob(glob, name)).toBe(matches);
});

test("a hostile glob is not slow", () => {
  expect(matchesGlob(`${"*a".repeat(200)}b`, "a".repeat(5_000))).toBe(false);
});
