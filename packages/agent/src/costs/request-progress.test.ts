import { expect, test } from "vitest";
import { manualClock } from "../../test/manual-clock.ts";
import type { CostRow, PossibleUse } from "../stores/stores.ts";
import { createRequestProgress, possibleOutput } from "./request-progress.ts";

const row: CostRow = {
  id: "req_1",
  sessionId: "ses_1",
  runId: "run_1",
  model: "m",
  at: 1_700_000_000_000,
  usage: { input: 10, cacheRead: 0, cacheWrite: 0, output: 16_000, isEstimated: true },
  costNanoUsd: 16_000,
};

test("a request that has just started can have written little, and never more than its limit", () => {
  expect([0, 1_000, 60_000].map((ms) => possibleOutput(ms, 16_000))).toEqual([9_000, 12_000, 16_000]);
});

test("4 what a request in flight can have used is recorded until everything is possible or it is settled", () => {
  const clock = manualClock();
  const records: PossibleUse[] = [];
  const progress = createRequestProgress({
    clock,
    ledger: { recordPossibleUse: async (_, possible) => void records.push(possible) },
    possibleUse: (_, output) => ({ output, costNanoUsd: output }),
  });
  progress.start({ ...row, usage: { ...row.usage, output: 80_000 } });
  for (let count = 0; count < 6; count += 1) clock.advance(10_000);
  expect(records.map(({ output }) => Math.round(output / 1_000) * 1_000)).toEqual([39_000, 69_000, 80_000]);
  progress.start({ ...row, id: "req_2" });
  progress.stop("req_2");
  clock.advance(10_000);
  expect(records).toHaveLength(3);
});

test("a store that fails does not disturb the request", async () => {
  const clock = manualClock();
  const progress = createRequestProgress({
    clock,
    ledger: { recordPossibleUse: () => Promise.reject(new Error("disk full")) },
    possibleUse: (_, output) => ({ output, costNanoUsd: output }),
  });
  progress.start(row);
  clock.advance(10_000);
  progress.stop(row.id);
  await new Promise(setImmediate);
});
