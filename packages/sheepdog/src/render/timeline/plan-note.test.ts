import type { AgentEvent, AgentEventBody } from "@sheepdog/agent";
import { createLiveItems, type Item } from "@sheepdog/agent/timeline";
import { expect, test } from "vitest";
import { directorEvents, secondPlan } from "../../../test/director-run.ts";
import { terminalControls } from "../../../test/test-home.ts";
import { styleFor } from "../terminal/style.ts";
import { itemLines } from "./item-lines.ts";
import { isSameItem } from "./same-item.ts";

const style = styleFor({ write: () => undefined }, {});

function itemsOf(...bodies: readonly AgentEventBody[]): readonly Item[] {
  const items = createLiveItems();
  const head = { seq: 0, at: 0, sessionId: "s", runId: "r", severity: "info" } as const;
  return bodies.flatMap((body) => items.add({ ...body, ...head } satisfies AgentEvent));
}

function linesOf(bodies: readonly AgentEventBody[], verbose = false): readonly string[] {
  return itemsOf(...bodies).flatMap((item) => itemLines(item, { style, width: 200, verbose }));
}

test("a director shows one line for each plan, node and evolution", () => {
  expect(linesOf(directorEvents)).toEqual([
    "  Plan rejected: The edge from build to tests names an unknown node: tests.",
    "  Plan 1: 7 nodes in 4 stages of up to 3.",
    "  Node fetch started.",
    "  Node fetch succeeded ($0.100).",
    "  Node parser started.",
    "  Node printer started.",
    "  Node docs started.",
    "  Node printer succeeded ($0.100).",
    "  Node parser succeeded ($0.200).",
    "  Node docs succeeded ($0.100).",
    "  Node test started.",
    "  Node test failed ($0.400): The tests do not pass: 3 of 40 fail.",
    "  Node publish blocked: The node test failed.",
    "  The plan failed at test. Evolution 1 of 3: One run repaired two parts at once and ran out of turns; each part " +
      "needs a run of its own.",
    "  Plan 2: 7 nodes in 4 stages of up to 3; 4 kept from earlier plans.",
    "  Node test-parser started.",
    "  Node test-printer started.",
    "  Node test-parser succeeded ($0.100).",
  ]);
});

test("a resumed plan says what was done before", () => {
  expect(
    linesOf([
      { ...secondPlan, isResumed: true },
      { type: "NodeComplete", nodeId: "docs", status: "succeeded", childId: "c", costNanoUsd: null, isEarlier: true },
      { type: "NodeStarted", nodeId: "test-parser", childId: "d", isResumed: true },
      { type: "NodeComplete", nodeId: "publish", status: "skipped" },
    ]),
  ).toEqual([
    "  Plan 2 continued: 7 nodes in 4 stages of up to 3; 4 kept from earlier plans.",
    "  Node docs succeeded before the interruption (price unknown).",
    "  Node test-parser continued.",
    "  Node publish skipped.",
  ]);
});

test("nodes whose names differ in a digit are not taken for a repetition", () => {
  const [one, two] = itemsOf(
    { type: "NodeStarted", nodeId: "step-1", childId: "a" },
    { type: "NodeStarted", nodeId: "step-2", childId: "b" },
  );
  expect(one !== undefined && two !== undefined && isSameItem(one, two)).toBe(false);
});

test("long and hostile texts stay one short sentence without control characters", () => {
  const problem = `\u001b[2J${"word ".repeat(1_000)}`;
  const lines = itemsOf(
    { type: "GraphRejected", problems: Array.from({ length: 90 }, () => problem) },
    { type: "NodeComplete", nodeId: "a\u001b]0;x\u0007", status: "failed", problem },
    { type: "EvolutionTriggered", cycle: 1, maxCycles: 3, diagnosis: problem, failed: ["a"] },
  ).map((item) => ("text" in item ? item.text : ""));
  for (const line of lines) {
    expect(line).not.toMatch(terminalControls);
    expect(line.length).toBeLessThan(900);
  }
  expect(lines[0]).toMatch(/ \(and 87 more\)\.$/);
});

const evaluation: AgentEventBody = {
  type: "GoalEvaluated",
  score: 2 / 3,
  threshold: 1,
  criteria: [
    { text: "the tests pass", isMet: true },
    { text: "the page names the format", isMet: false, reason: "There is no page." },
    { text: "the code is plain", isMet: null },
  ],
  constraints: [
    { text: "change only src", level: "must", isRespected: true },
    { text: "at most 9 turns", level: "should", isRespected: false },
  ],
};

test("a verdict has a line with its reason, unless it changes nothing", () => {
  const verdicts: readonly AgentEventBody[] = [
    { type: "JudgeVerdict", verdict: "continue" },
    { type: "JudgeVerdict", verdict: "continue", problem: "The judge's answer could not be read." },
    { type: "JudgeVerdict", verdict: "retry", reason: "Name the\nfile.", model: "small", costNanoUsd: 2e6 },
    { type: "JudgeVerdict", verdict: "escalate", reason: "The key is missing.", model: "small", costNanoUsd: null },
    { type: "JudgeVerdict", verdict: "accept" },
  ];
  expect(linesOf([evaluation, ...verdicts])).toEqual([
    "  judge: continue (The judge's answer could not be read)",
    '  judge: retry, "Name the file."',
    '  judge: escalate, "The key is missing."',
    "  judge: accept",
  ]);
  expect(linesOf(verdicts.slice(2), true)).toEqual([
    '  judge: retry, "Name the file."',
    "    judged by small, $0.002",
    '  judge: escalate, "The key is missing."',
    "    judged by small, price unknown",
    "  judge: accept",
    "    decided by rules",
  ]);
});

test("with --verbose, an evaluation lists what is met and what is not", () => {
  expect(linesOf([evaluation], true)).toEqual([
    "  goal: 66 % reached, 100 % needed; met: the tests pass; not met: the page names the format; " +
      "respected: change only src (must); violated: at most 9 turns (should); not decided: the code is plain",
  ]);
});
