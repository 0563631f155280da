import { defaultPolicy } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { call, calls, run, times } from "../../test/builders.ts";
import { type ReadItem, skip } from "../readers/read-item.ts";
import type { RecordedRun } from "../trajectory/recorded-run.ts";
import { analyzeAll } from "./analysis.ts";

async function* items(...runs: (RecordedRun | string)[]): AsyncGenerator<ReadItem> {
  for (const [line, run] of runs.entries())
    yield typeof run === "string" ? skip("f", line, run) : { type: "run", run, file: "f", line };
}

const stuck = times(3, {
  ...calls(call("bash", { command: "make" }, "error: no rule", { isError: true })),
  usage: { costUsd: 0.1 },
});

test("yields reports in order, sums them up and counts skipped lines", async () => {
  const analysis = analyzeAll(items(run(stuck), "bad", run(stuck), run([calls(call("ls", {}, "a"))])), defaultPolicy);
  const types: string[] = [];
  for await (const item of analysis) types.push(item.type);
  expect(types).toEqual(["run", "skipped", "run", "run"]);
  expect(analysis.totals).toEqual({
    runs: 3,
    calls: 7,
    turns: 7,
    costUsd: 0.6,
    unpricedTokens: 0,
    stuckRuns: 2,
    stuckCalls: 4,
    stuckCostUsd: 0.4,
  });
  expect(analysis.skipped).toEqual([{ file: "f", line: 1, why: "bad" }]);
});

test("lists the first hundred skipped lines and counts all of them", async () => {
  const analysis = analyzeAll(items(...Array.from({ length: 150 }, (_, i) => `bad ${i}`)), defaultPolicy);
  for await (const item of analysis) expect(item.type).toBe("skipped");
  expect([analysis.skipped.length, analysis.skippedCount, analysis.totals.costUsd]).toEqual([100, 150, null]);
});
