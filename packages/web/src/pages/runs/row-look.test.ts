import { expect, test } from "vitest";
import { rowAction, rowFacts, stateSign } from "./row-look.ts";
import { runRow } from "./run-rows.fixture.ts";

const halt = { level: "halt", text: "halt", isRecovered: false, isApplied: true } as const;

test("a row offers the action that fits the state of its run", () => {
  const live = { id: "a", isLive: true, state: "running" } as const;
  expect(rowAction(runRow({ ...live, waitsFor: "question" }))).toBe("answer");
  expect(rowAction(runRow({ ...live, waitsFor: "reply" }))).toBe("answer");
  expect(rowAction(runRow({ ...live, waitsFor: "approval" }))).toBe("review");
  expect(rowAction(runRow(live))).toBe("steer");
  expect(rowAction(runRow({ id: "a", state: "budget_exceeded", reason: "run_budget" }))).toBe("raise");
  expect(rowAction(runRow({ id: "a", state: "budget_exceeded", reason: "day_budget" }))).toBe("resume");
  expect(rowAction(runRow({ id: "a", state: "cancelled", reason: "cancelled" }))).toBe("resume");
  expect(rowAction(runRow({ id: "a" }))).toBe("fork");
  expect(rowAction(runRow({ id: "a", kind: "recording", resumeCommand: null, canFork: false }))).toBe("look");
  expect(rowAction(runRow({ ...live, kind: "recording" }))).toBe("look");
});

test("a run that cannot be resumed from the page is not offered to be resumed", () => {
  const gone = { id: "a", state: "cancelled", resumeProblem: "The folder is gone.", canFork: false } as const;
  expect(rowAction(runRow(gone))).toBe("look");
});

test("an end by the guardian is told apart from another failure", () => {
  expect(stateSign(runRow({ id: "a", state: "error", reason: "doom_loop", guardian: halt })).word).toBe(
    "Ended by the guardian",
  );
  expect(stateSign(runRow({ id: "a", state: "error", reason: "provider_error" })).word).toBe("Failed");
  expect(stateSign(runRow({ id: "a", state: "error", guardian: { ...halt, isApplied: false } })).word).toBe("Failed");
});

test("a live run shows its time so far, an ended one its whole time", () => {
  expect(rowFacts(runRow({ id: "a", isLive: true, endedAt: null, turns: 12 }), 180_000)).toEqual([
    "api-server",
    "claude-sonnet-4-5",
    "3 min 00 s",
    "turn 12",
  ]);
  expect(rowFacts(runRow({ id: "a", goal: "met" }), 9e9)).toEqual([
    "api-server",
    "claude-sonnet-4-5",
    "4 min",
    "11 turns",
    "goal met",
  ]);
});
