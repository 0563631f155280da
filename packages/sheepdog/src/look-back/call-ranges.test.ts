import { expect, test } from "vitest";
import { lookedAt } from "../../test/look-back-runs.ts";
import { stuckRun } from "../../test/recordings.ts";
import { callRanges } from "./call-ranges.ts";

test("calls in a row are one range", () => {
  expect(callRanges([])).toEqual([]);
  expect(callRanges([0, 1, 2, 5, 7, 8])).toEqual([
    [0, 2],
    [5, 5],
    [7, 8],
  ]);
});

test("a run keeps which of its calls failed, and which repeat an earlier one", () => {
  const { failedCalls, episodes } = lookedAt(stuckRun("r", 12));
  expect(failedCalls).toEqual([[0, 11]]);
  expect(episodes.map(({ repeatedCalls }) => repeatedCalls)).toEqual([[[1, 11]]]);
});
