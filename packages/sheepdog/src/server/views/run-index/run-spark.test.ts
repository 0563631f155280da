import { defaultPolicy } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { recordedRunData } from "../run-data/recorded-run-data.ts";
import { runSpark } from "./run-spark.ts";

test("the cost of a run of any length has at most 40 points, and ends with the last", async () => {
  for (let turns = 2; turns <= 300; turns++) {
    const steps = Array.from({ length: turns }, (_, turn) => ({
      turn,
      text: "",
      at: 1_000 + turn,
      usage: { inputTokens: 1, outputTokens: 1, costUsd: 0.01 },
      calls: [],
    }));
    const entry = { id: "rec_1", source: "a", file: "a.jsonl", line: 1, turns, calls: 0 } as never; // no more
    const spark = runSpark(
      await recordedRunData({ entry, recording: { id: "r", steps }, policy: defaultPolicy, now: 0 }),
    );
    expect(spark?.points.at(-1)).toEqual([1, 1]);
    expect(spark?.points.length).toBeLessThanOrEqual(40);
  }
});
