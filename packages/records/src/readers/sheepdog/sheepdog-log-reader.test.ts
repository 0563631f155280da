import { expect, test } from "vitest";
import { expectedSheepdog } from "../../../test/fixtures/expected/sheepdog.ts";
import { readFixtures } from "../../../test/fixtures/home.ts";
import { readValues } from "../../../test/read-text.ts";
import { totalsOf } from "../../../test/totals.ts";
import { sheepdogDatabaseReader } from "./sheepdog-database-reader.ts";

let seq = 0;
function event(type: string, more: object = {}) {
  seq += 1;
  return { level: 2, type, ...more, seq, at: 1_793_610_000_000 + seq, sessionId: "ses_1", runId: "run_1" };
}

test("all logs have the totals that were computed by hand", async () => {
  const { runs, skipped } = await readFixtures(".sheepdog/logs");
  expect(skipped).toEqual([]);
  expect(totalsOf(runs)).toEqual(expectedSheepdog);
});

test("a log is a run with texts, results, refusals, opinions and messages of the user", async () => {
  const { runs } = await readFixtures(".sheepdog/logs/ses_1/run_1.jsonl");
  const failed = { result: "no rule to make target", isError: true };
  expect(runs).toMatchObject([
    {
      id: "run_1",
      source: "sheepdog",
      model: "claude-sonnet-4-5",
      provider: "anthropic.messages",
      task: "Build it.",
      outcome: "answered",
      steps: [
        { turn: 0, text: "I build it.", user: true, calls: [{ name: "bash", args: { command: "make" }, ...failed }] },
        {
          turn: 1,
          usage: { inputTokens: 1400, outputTokens: 25, costUsd: 0.006 },
          calls: [failed, { result: "It is not allowed.", isError: true, status: "denied" }],
        },
        {
          turn: 2,
          text: "Built.",
          user: true,
          compacted: true,
          opinions: [{ request: "op_1", verdict: "stuck", advice: "Read the Makefile." }],
        },
      ],
    },
  ]);
  expect(runs[0]?.steps[1]?.calls[0]?.status).toBeUndefined();
});

test("a log of level 2 has the calls of each turn, and how they ended", async () => {
  const { runs } = await readFixtures(".sheepdog/logs/ses_3/run_3.jsonl");
  expect(runs[0]?.steps[0]).toMatchObject({ text: "Hi.", calls: [{ name: "echo", result: null, isError: false }] });
  expect(runs[0]?.steps[0]?.usage?.costUsd).toBeUndefined();
});

test("a log of level 1 has the answer and the cost as its only step", async () => {
  const usage = { input: 10, cacheRead: 4, cacheWrite: 0, output: 2, isEstimated: false };
  const result = { reason: "max_turns", text: "Not done.", usage, costNanoUsd: 2_000_000 };
  const { runs } = await readValues(event("RunStarted", { prompt: "Go." }), event("RunError", { result }));
  expect(runs).toMatchObject([
    {
      task: "Go.",
      outcome: "max_turns",
      steps: [{ text: "Not done.", user: true, usage: { inputTokens: 10, cacheReadTokens: 4, costUsd: 0.002 } }],
    },
  ]);
});

test("a run of the demo has tokens and no cost: nothing was paid for it", async () => {
  const { runs } = await readValues(
    event("RunStarted", { prompt: "Go.", model: "demo", provider: "sheepdog" }),
    event("TurnStarted", { turn: 0 }),
    event("UsageUpdate", { usage: { input: 9, cacheRead: 0, cacheWrite: 0, output: 1 } }),
    event("CostEvent", { model: "demo", costNanoUsd: 5 }),
  );
  expect(runs[0]?.steps[0]?.usage).toEqual({
    inputTokens: 9,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 1,
    request: "run_1/0",
  });
});

test("events of a subagent in the same file are a run of their own with its parent", async () => {
  const child = { sessionId: "ses_2", runId: "run_2" };
  const { runs } = await readValues(
    event("TurnStarted", { turn: 0 }),
    event("ToolStart", { callId: "c1", tool: "task", input: {} }),
    event("ChildStarted", { childId: "ses_2", callId: "c1" }),
    { ...event("TurnStarted", { turn: 0 }), ...child },
  );
  expect(runs).toMatchObject([
    { id: "run_1", steps: [{ calls: [{ child: "ses_2", status: "interrupted" }] }] },
    { id: "run_2", parent: "run_1" },
  ]);
});

test("Sheepdog's own database is recognized and not read here", () => {
  const tables = new Set(["sessions", "fences", "messages", "events", "runs", "checkpoints", "reservations"]);
  expect(sheepdogDatabaseReader.recognizes(tables)).toBe(true);
  expect(sheepdogDatabaseReader.recognizes(new Set(["sessions", "messages"]))).toBe(false);
});
