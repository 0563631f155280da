import { expect, test } from "vitest";
import { lookedAt } from "../../../test/look-back-runs.ts";
import { stuckRun } from "../../../test/recordings.ts";
import { stopText } from "./worst-lines.ts";

test.each([
  [3, "The agent would have been given a hint; the run would not have been ended."],
  [4, "The agent would have been given a warning; the run would not have been ended."],
  [5, "A call would have been refused; the run would not have been ended."],
])("after %i equal calls the guardian would not have ended the run", (times, sentence) => {
  expect(stopText({ run: lookedAt(stuckRun("r", times)) })).toBe(sentence);
});
