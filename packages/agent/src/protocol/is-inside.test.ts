import { expect, test } from "vitest";
import { isInside } from "./is-inside.ts";

test("isInside compares whole components", () => {
  expect(isInside("/work", "/work")).toBe(true);
  expect(isInside("/work", "/work/a")).toBe(true);
  expect(isInside("/work", "/work/..a")).toBe(true);
  expect(isInside("/work", "/work-evil/a")).toBe(false);
  expect(isInside("/work", "/")).toBe(false);
  expect(isInside("/", "/etc")).toBe(true);
});
