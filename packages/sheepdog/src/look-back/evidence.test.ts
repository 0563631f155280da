import { expect, test } from "vitest";
import { lookedAt } from "../../test/look-back-runs.ts";
import { stuckRun } from "../../test/recordings.ts";
import { clippedAlike } from "./evidence.ts";

test("long texts are clipped around their first difference", () => {
  const before = "x".repeat(500);
  const texts = [`${before}one${"y".repeat(500)}`, `${before}two${"y".repeat(500)}`];
  expect(clippedAlike(texts, { maxChars: 100, end: "head" })).toEqual([
    `…${"x".repeat(80)}one${"y".repeat(17)}…`,
    `…${"x".repeat(80)}two${"y".repeat(17)}…`,
  ]);
});

test("equal texts keep their beginning, and those of failures their end", () => {
  const text = `begin ${"x".repeat(200)} end`;
  expect(clippedAlike([text, text], { maxChars: 9, end: "head" })).toEqual(["begin xxx…", "begin xxx…"]);
  expect(clippedAlike([text, text], { maxChars: 9, end: "tail" })).toEqual(["…xxxxx end", "…xxxxx end"]);
  expect(clippedAlike(["short", "text"], { maxChars: 9, end: "tail" })).toEqual(["short", "text"]);
});

test("an episode has its sentence, its cost, its rungs, and its first and last calls", () => {
  const run = lookedAt(stuckRun("r", 12));
  expect(run.episodes).toMatchObject([
    {
      detector: "failing-call",
      sentence: [{ code: "make" }, { text: " failed 12 times the same way" }],
      times: 12,
      repeats: 11,
      costUsd: 1.1,
      children: [],
      interventions: [
        { level: "hint", call: 2, remaining: { calls: 9, costUsd: 0.9 } },
        { level: "warn", call: 3, sentence: [{ code: "make" }, { text: " failed 4 times the same way" }] },
        { level: "block", call: 4 },
        { level: "halt", call: 7, remaining: { calls: 4, costUsd: 0.4 } },
      ],
    },
  ]);
  expect(run.episodes[0]?.evidence.map(({ call, args }) => [call, args])).toEqual(
    [0, 1, 2, 9, 10, 11].map((call) => [call, "make"]),
  );
  expect(run.episodes[0]?.evidence[2]).toMatchObject({ call: 2, sameCalls: [[3, 8]] });
  expect(run.facts.stuck).toMatchObject({ detector: "failing-call", calls: 11, costUsd: 1.1, savedUsd: 0.4 });
});
