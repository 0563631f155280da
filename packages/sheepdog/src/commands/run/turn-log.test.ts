import type { AgentEvent, AgentEventBody } from "@sheepdog/agent";
import type { Intervention } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { directorEvents } from "../../../test/director-run.ts";
import { marksFor } from "../../render/timeline/marks.ts";
import { createTurnLog } from "./turn-log.ts";

function linesOf(bodies: readonly AgentEventBody[]): readonly string[] {
  const log = createTurnLog(marksFor({}));
  const head = { seq: 0, at: 0, sessionId: "s", runId: "r", severity: "info" } as const;
  return bodies.flatMap((body) => log({ ...body, ...head } satisfies AgentEvent));
}

const call = (callId: string, command: string, end: { status: string; content: string }): AgentEventBody[] => [
  { type: "ToolStart", callId, tool: "bash", input: { command } },
  { type: "ToolEnd", callId, tool: "bash", ms: 2_100, ...end },
];

const overload = { waitingFor: "overloaded", since: 0, problem: "overloaded", model: "m" } as const;

test("a turn is one line with its calls; a failed call shows the last line of its output", () => {
  expect(
    linesOf([
      { type: "TurnStarted", turn: 0 },
      ...call("a", "ls", { status: "ok", content: "a.txt\n[exit code 0]" }),
      ...call("b", "npm test", { status: "error", content: "> test\n\nError: 1 is not 2\n[exit code 1]" }),
      { type: "TurnComplete", turn: 0 },
      { type: "TurnStarted", turn: 1 },
      { type: "TextDelta", text: "Done." },
      { type: "StreamEnd", isComplete: true },
      { type: "TurnComplete", turn: 1 },
    ]),
  ).toEqual(["turn 1: bash ls ✓ 2.1 s · bash npm test ✗ 2.1 s (Error: 1 is not 2)"]);
});

test("the excerpt of a failed call is its text, without the tag that marks it as data", () => {
  const content = 'The text between the data tags comes from outside.\n<data source="npm">\nE404 not found\n</data>';
  expect(
    linesOf([
      { type: "TurnStarted", turn: 0 },
      ...call("a", "npm i x", { status: "error", content: `${content}\n[exit code 1]` }),
      { type: "TurnComplete", turn: 0 },
    ]),
  ).toEqual(["turn 1: bash npm i x ✗ 2.1 s (E404 not found)"]);
});

test("interventions, refusals and retries have a line each", () => {
  const intervention: Intervention = {
    id: "i",
    episode: "e",
    detector: "failures",
    level: "warn",
    effect: "tell",
    count: 3,
    evidence: [0, 1, 2],
    message: "It failed 3 times.\nChange it.",
    isApplied: true,
  } as unknown as Intervention; // only what is shown
  expect(
    linesOf([
      { type: "TurnStarted", turn: 0 },
      { type: "ProviderRetry", ...overload, attempt: 2, waitMs: 1_500 },
      { type: "ToolBlocked", callId: "c", tool: "bash", input: { command: "rm -rf /" }, by: "gate", message: "No." },
      { type: "GuardianIntervention", intervention },
      { type: "TurnComplete", turn: 0 },
    ]),
  ).toEqual([
    "sheepdog: overloaded. Attempt 2 in 1.5 s.",
    "sheepdog: refused bash rm -rf /: No.",
    "turn 1: bash rm -rf / ✗ refused by the gate",
    "sheepdog: warn (failures, 3 times): It failed 3 times. Change it.",
  ]);
});

test("plans, nodes and verdicts have a line each; an evaluation and a verdict that changes nothing have none", () => {
  expect(
    linesOf([
      { type: "TurnStarted", turn: 0 },
      ...directorEvents.slice(0, 4),
      { type: "GoalEvaluated", score: 0, threshold: 1, criteria: [], constraints: [] },
      { type: "JudgeVerdict", verdict: "continue" },
      { type: "JudgeVerdict", verdict: "retry", reason: "Name the file." },
    ]),
  ).toEqual([
    "sheepdog: Plan rejected: The edge from build to tests names an unknown node: tests.",
    "sheepdog: Plan 1: 7 nodes in 4 stages of up to 3.",
    "sheepdog: Node fetch started.",
    "sheepdog: Node fetch succeeded ($0.100).",
    'sheepdog: judge: retry, "Name the file."',
  ]);
});
