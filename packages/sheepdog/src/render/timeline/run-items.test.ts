import type { AgentEvent, SavedRun } from "@sheepdog/agent";
import { expect, test } from "vitest";
import { runItems } from "./run-items.ts";

const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, isEstimated: false };
const run: SavedRun = {
  runId: "run_1",
  prompt: "Go.",
  startedAt: 1,
  state: "running",
  turns: 1,
  usage,
  costNanoUsd: 7,
};
const ended: SavedRun = { ...run, endedAt: 9, state: "completed", reason: "answered", text: "Done." };
const head = { at: 5, sessionId: "ses_1", runId: "run_1", severity: "info" } as const;

test("the prompt and the end of a run without events are as saved", () => {
  expect(runItems(ended, [])).toMatchObject([
    { type: "prompt", text: "Go.", at: 1 },
    { type: "end", result: { reason: "answered", text: "Done.", costNanoUsd: 7 }, at: 9 },
  ]);
});

test("the exit code of a run without events follows from its reason", () => {
  expect(runItems({ ...ended, state: "cancelled", reason: "cancelled" }, [])).toMatchObject([
    { type: "prompt" },
    { type: "end", result: { state: "cancelled", exitCode: 130 } },
  ]);
});

test("events come before what is saved, and a run that has not ended has no end", () => {
  const events: readonly AgentEvent[] = [
    { type: "RunStarted", prompt: "Go!", seq: 1, ...head },
    { type: "StreamEnd", isComplete: true, text: "Hm.", seq: 2, ...head },
  ];
  expect(runItems(run, events)).toEqual([
    { type: "prompt", text: "Go!", isResumed: false, seq: 1, at: 5 },
    { type: "text", turn: 0, text: "Hm.", seq: 2, at: 5 },
  ]);
});
