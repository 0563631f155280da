import { expect, test } from "vitest";
import { lookedAt } from "../../test/look-back-runs.ts";
import { cleanRun, stuckRun } from "../../test/recordings.ts";
import { endedRuns } from "./ended-runs.ts";
import { worstRuns } from "./worst-runs.ts";

test("what ends would have saved is summed over the runs that would have been ended", () => {
  const runs = [lookedAt(stuckRun("a", 12)), lookedAt(stuckRun("b", 4)), lookedAt(cleanRun("c"))];
  const worst = worstRuns({ runs, insideLoops: new Set() }, "cost");
  expect(worst.map(({ run }) => run.recordedId)).toEqual(["a", "b"]);
  expect(endedRuns(worst)).toEqual({ runs: 1, calls: 4, costUsd: 0.4 });
  expect(endedRuns([])).toEqual({ runs: 0, calls: 0, costUsd: null });
});
