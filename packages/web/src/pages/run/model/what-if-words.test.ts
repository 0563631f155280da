import { expect, test } from "vitest";
import { effectWords } from "./what-if-words.ts";

test("an earlier end saves money, unless the run recovered", () => {
  expect(effectWords("error", 36.47)).toBe("Would have saved $36.47.");
  expect(effectWords("completed", 0.031)).toBe("Would have ended a run that recovered: $0.031 of later work lost.");
  expect(effectWords("error", null)).toBe("");
});
