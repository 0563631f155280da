import { outcomes, type RunResult } from "@sheepdog/agent";
import type { Intervention } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { styleFor } from "../terminal/style.ts";
import { widthOf } from "../terminal/width.ts";
import type { CallItem, Item } from "./item.ts";
import { type Look, linesOf } from "./lines.ts";
import { marksFor } from "./marks.ts";

const style = styleFor({ write: () => undefined }, {});
const look: Look = { style, width: 60 };

const failed: CallItem = {
  type: "call",
  callId: "c1",
  turn: 1,
  tool: "bash",
  input: { command: "npm test" },
  status: "error",
  content: "one\n\ntwo\nthree\n[exit code 1]",
  ms: 1_234,
};

const warning: Intervention = {
  id: "failing-call-1/warn",
  detector: "failing-call",
  level: "warn",
  effect: "tell",
  call: 4,
  evidence: [0, 1, 2, 4],
  count: 4,
  tool: "bash",
  message:
    "This exact command has failed 4 times with the same error: sum.js is missing. Read the error and change what causes it.",
  isApplied: true,
};

const ended: RunResult = {
  sessionId: "ses_1",
  runId: "run_1",
  ...outcomes.run_budget,
  reason: "run_budget",
  text: "…",
  problem: "This run has used $1.00 of $1.00.",
  turns: 3,
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, isEstimated: false },
  costNanoUsd: 1_000_000_000,
  interventions: [],
};

test("a call is one line with what came of it, and the beginning of what it said", () => {
  expect(linesOf(failed, look)).toEqual(["  bash npm test  ✗ 1.2 s", "    one", "    two  … +2 lines"]);
  expect(linesOf({ ...failed, status: "ok" }, look)).toEqual(["  bash npm test  ✓ 1.2 s", "    one  … +3 lines"]);
  expect(linesOf({ ...failed, status: "ok", content: "all of it\n[exit code 0]" }, look)).toEqual([
    "  bash npm test  ✓ 1.2 s",
    "    all of it",
  ]);
  expect(linesOf({ ...failed, status: "timeout", content: "" }, look)).toEqual(["  bash npm test  ✗ timeout 1.2 s"]);
  expect(linesOf(failed, { ...look, verbose: true })).toHaveLength(5);
  const { status: _, content: __, ms: ___, ...open } = failed;
  expect(linesOf(open, look)).toEqual(["  bash npm test  …"]);
});

test("a refused call says by whom; the guardian's words stand with the intervention, the gate's with the call", () => {
  const refused: CallItem = { ...failed, status: "blocked", content: "Not run: it writes elsewhere." };
  expect(linesOf({ ...refused, blockedBy: "guardian" }, look)).toEqual(["  bash npm test  ✗ refused by the guardian"]);
  expect(linesOf({ ...refused, blockedBy: "gate" }, look)).toEqual([
    "  bash npm test  ✗ refused by the gate",
    "    Not run: it writes elsewhere.",
  ]);
});

test("an intervention stands out with its level, its words and its evidence", () => {
  expect(linesOf({ type: "guardian", turn: 2, intervention: warning }, look)).toEqual([
    "  ┃ sheepdog: warn (failing-call, 4 times)",
    "  ┃ This exact command has failed 4 times with the same",
    "  ┃ error: sum.js is missing. Read the error and change what",
    "  ┃ causes it.",
    "  ┃ Seen in calls 1-3, 5 (bash).",
  ]);
  const [title] = linesOf({ type: "guardian", turn: 2, intervention: { ...warning, isApplied: false } }, look);
  expect(title).toBe("  ┃ sheepdog: would have said warn (failing-call, 4 times)");
  const named = linesOf(
    { type: "guardian", turn: 2, intervention: { ...warning, evidence: [0] } },
    { ...look, verbose: true, callAt: () => failed },
  );
  expect(named.at(-1)).toBe("  ┃ call 1  bash npm test");
});

test("what is left of a limit is no count", () => {
  const spent: Intervention = {
    ...warning,
    detector: "run-cost",
    count: 360_000_000,
    evidence: [],
    message: "This run has used $0.36 of $0.44.",
  };
  expect(linesOf({ type: "guardian", turn: 2, intervention: spent }, look)).toEqual([
    "  ┃ sheepdog: warn (run-cost)",
    "  ┃ This run has used $0.36 of $0.44.",
  ]);
});

test("the end does not say again what the guardian or the reason says", () => {
  const halted: RunResult = { ...ended, interventions: [{ ...warning, level: "halt", message: ended.problem ?? "" }] };
  const cancelled: RunResult = {
    ...ended,
    ...outcomes.cancelled,
    reason: "cancelled",
    problem: "The run was cancelled.",
  };
  for (const result of [halted, cancelled])
    expect(linesOf({ type: "end", result }, { ...look, width: 100 })).toHaveLength(1);
});

test("the end tells what subagents cost", () => {
  const halt: Intervention = { ...warning, level: "halt", message: ended.problem ?? "" };
  expect(
    linesOf(
      { type: "end", result: { ...ended, interventions: [halt], costWithSubagentsNanoUsd: 3e9 } },
      { ...look, width: 120 },
    ),
  ).toEqual(["✗ Ended: the money for the run is spent (run_budget; 3 turns, $3.00 with its subagents)."]);
});

test("the end says why in words, and what it cost", () => {
  expect(linesOf({ type: "end", result: ended }, look)).toEqual([
    "✗ Ended: the money for the run is spent (run_budget; 3",
    "  turns, $1.00).",
    "  This run has used $1.00 of $1.00.",
  ]);
  const done: RunResult = { ...ended, ...outcomes.answered, reason: "answered", costNanoUsd: null };
  expect(linesOf({ type: "end", result: done }, look)).toEqual(["✓ Done: it answered (3 turns, price unknown)."]);
});

test("thinking is shown only where all is to be shown", () => {
  const thought: Item = { type: "thinking", turn: 0, text: "Hm." };
  expect([linesOf(thought, look), linesOf(thought, { ...look, verbose: true })]).toEqual([[], ["  Hm."]]);
});

test("a text keeps its lines and its indentation, and nothing of it is left out", () => {
  const text = "Look:\n\n    const sum = one + two + three + four + five + six + seven + eight;\n";
  expect(linesOf({ type: "text", turn: 0, text }, { ...look, width: 40 })).toEqual([
    "Look:",
    "",
    "    const sum = one + two + three + four",
    "    + five + six + seven + eight;",
  ]);
  const long = "x".repeat(100);
  expect(linesOf({ type: "text", turn: 0, text: long }, { ...look, width: 40 }).join("")).toBe(long);
});

const items: readonly Item[] = [
  {
    type: "prompt",
    text: "Please fix the failing test, and tell me what was wrong with it. ".repeat(8),
    isResumed: true,
  },
  {
    type: "text",
    turn: 0,
    text: "I begin with 漢字かな交じり文 and then go on with something else altogether, 🐑🐑🐑.",
  },
  failed,
  { ...failed, input: { command: "x".repeat(300) }, content: "y".repeat(300) },
  { ...failed, status: "blocked", blockedBy: "guardian" },
  {
    type: "guardian",
    turn: 2,
    intervention: { ...warning, evidence: Array.from({ length: 60 }, (_, index) => index * 2) },
  },
  { type: "recovered", turn: 3, episode: "e1" },
  {
    type: "note",
    turn: 3,
    severity: "warning",
    text: "The request failed (the provider is overloaded); attempt 2 in 1.0 s.",
  },
  { type: "end", result: ended },
];

describe("every item", () => {
  test.each([40, 60, 200])("fits into %d columns", (width) => {
    const lines = items.flatMap((item) => linesOf(item, { ...look, width, verbose: true }));
    expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
  });

  test("is plain ASCII where the terminal is dumb or speaks no UTF-8", () => {
    for (const env of [{ TERM: "dumb" }, { LC_ALL: "C" }, { LANG: "de_DE.ISO-8859-1" }]) {
      const said: readonly Item[] = [
        { ...failed, status: "blocked", blockedBy: "gate" },
        { type: "guardian", turn: 2, intervention: warning },
        { type: "prompt", text: "Go.", isResumed: true },
        { type: "end", result: ended },
      ];
      const lines = said.flatMap((item) => linesOf(item, { ...look, marks: marksFor(env) }));
      expect(lines.join("\n")).toMatch(/^[\x20-\x7e\n]*$/);
    }
    expect(marksFor({ LANG: "en_US.UTF-8" })).toEqual(marksFor({}));
  });

  test("lets nothing through that a terminal would obey", () => {
    const hostile = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u001bPq\u001b\\\u202e\u200bx\rboo";
    const said: readonly Item[] = [
      { type: "prompt", text: hostile, isResumed: false },
      { type: "text", turn: 0, text: hostile },
      { type: "thinking", turn: 0, text: hostile },
      { ...failed, tool: hostile, input: { [hostile]: hostile, more: hostile }, content: hostile },
      { type: "guardian", turn: 0, intervention: { ...warning, message: hostile, tool: hostile } },
      { type: "note", turn: 0, severity: "info", text: hostile },
      { type: "end", result: { ...ended, problem: hostile } },
    ];
    for (const verbose of [true, false])
      for (const item of said)
        expect(linesOf(item, { ...look, verbose }).join("\n")).not.toMatch(/[^\P{Cc}\n]|[\u202e\u200b]|owned/u);
  });
});
