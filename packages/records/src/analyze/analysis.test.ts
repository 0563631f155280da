import { defaultPolicy } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { call, calls, run, times } from "../../test/builders.ts";
import { analyzeAll } from "./analysis.ts";
import { type ReadItem, skip } from "../readers/read-item.ts";
import type { RecordedRun } from "../trajectory/recorded-run.ts";

async function* items(...all: (RecordedRun | string)[]): AsyncGenerator<ReadItem> {
  for (const [line, each] of all.entries())
    yield typeof each === "string" ? skip("f", line, each) : { type: "run", run: each, file: "f", line };
}

const stuck = times(3, {
  ...calls(call("bash", { command: "make" }, "error: no rule", { isError: true })),
  usage: { costUsd: 0.1 },
});

test("yields reports in order and sums them up, skipped lines counted", async () => {
  const analysis = analyzeAll(items(run(stuck), "bad", run(stuck), run([calls(call("ls", {}, "a"))])), defaultPolicy);
  const seen: string[] = [];
  for await (const each of analysis) seen.push(each.type);
  expect(seen).toEqual(["run", "skipped", "run", "run"]);
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

test("keeps the first hundred that were skipped and counts them all", async () => {
  const analysis = analyzeAll(items(...Array.from({ length: 150 }, (_, i) => `bad ${i}`)), defaultPolicy);
  for await (const each of analysis) expect(each.type).toBe("skipped");
  expect([analysis.skipped.length, analysis.skippedCount, analysis.totals.costUsd]).toEqual([100, 150, null]);
});
