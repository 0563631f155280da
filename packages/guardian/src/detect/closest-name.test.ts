import { expect, test } from "vitest";
import { closestName } from "./closest-name.ts";

const names = ["web_search", "read_file", "write_file"];

test.each([
  ["web-search", "web_search"],
  ["WebSearch", "web_search"],
  ["search_web", "web_search"],
  ["readfile", "read_file"],
  ["raed_file", "read_file"],
  ["launch_rocket", undefined],
])("the closest name to %s is %s", (asked, closest) => {
  expect(closestName(asked, names)).toBe(closest);
});

test("a name that is longer than any is like none", () => {
  expect(closestName("x".repeat(10_000), ["agent", "budget"])).toBeUndefined();
});
