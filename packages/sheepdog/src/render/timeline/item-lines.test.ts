import { outcomes, type RunResult } from "@sheepdog/agent";
import type { CallItem, Item } from "@sheepdog/agent/timeline";
import type { Intervention } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { styleFor } from "../terminal/style.ts";
import { widthOf } from "../terminal/width.ts";
import type { ItemLineOptions } from "./item-line-options.ts";
import { itemLines } from "./item-lines.ts";
import { marksFor } from "./marks.ts";

const style = styleFor({ write: () => undefined }, {});
const options: ItemLineOptions = { style, width: 60 };

const failed: CallItem = {
  type: "call",
  seq: 1,
  at: 1,
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
    "This exact command has failed 4 times with the same error: sum.js is missing. " +
    "Read the error and change what causes it.",
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

test("a call is one line with its outcome, with the beginning of its output, or the end if it failed", () => {
  expect(itemLines(failed, options)).toEqual([
    "  bash npm test  ✗ 1.2 s",
    "    … +1 line  two",
    "    three",
    "    [exit code 1]",
  ]);
  expect(itemLines({ ...failed, status: "ok" }, options)).toEqual(["  bash npm test  ✓ 1.2 s", "    one  … +3 lines"]);
  expect(itemLines({ ...failed, status: "ok", content: "all of it\n[exit code 0]" }, options)).toEqual([
    "  bash npm test  ✓ 1.2 s",
    "    all of it",
  ]);
  expect(itemLines({ ...failed, status: "timeout", content: "" }, options)).toEqual([
    "  bash npm test  ✗ timeout 1.2 s",
  ]);
  expect(itemLines(failed, { ...options, verbose: true })).toHaveLength(5);
  const { status: _, content: __, ms: ___, ...running } = failed;
  expect(itemLines(running, options)).toEqual(["  bash npm test  …"]);
});

test("a failed call shows the line that says what went wrong, wherever it stands", () => {
  const trace = ["greet.test.js:2", "Error: expected you, got undefined", "    at one", "    at two", "    at three"];
  expect(itemLines({ ...failed, content: [...trace, "[exit code 1]"].join("\n") }, options)).toEqual([
    "  bash npm test  ✗ 1.2 s",
    "    Error: expected you, got undefined",
    "    … +4 lines  [exit code 1]",
  ]);
});

test("a refused call names what refused it; only a refusal of the gate shows its message with the call", () => {
  const refused: CallItem = { ...failed, status: "blocked", content: "Not run: it writes elsewhere." };
  expect(itemLines({ ...refused, blockedBy: "guardian" }, options)).toEqual([
    "  bash npm test  ✗ refused by the guardian",
  ]);
  expect(itemLines({ ...refused, blockedBy: "gate" }, options)).toEqual([
    "  bash npm test  ✗ refused by the gate",
    "    Not run: it writes elsewhere.",
  ]);
});

test("an intervention shows its level, its message and its evidence", () => {
  expect(itemLines({ type: "guardian", seq: 1, at: 1, turn: 2, intervention: warning }, options)).toEqual([
    "  ┃ sheepdog: warn (failing-call, 4 times)",
    "  ┃ This exact command has failed 4 times with the same",
    "  ┃ error: sum.js is missing. Read the error and change what",
    "  ┃ causes it.",
    "  ┃ Seen in calls 1-3, 5 (bash).",
  ]);
  const [title] = itemLines(
    { type: "guardian", seq: 1, at: 1, turn: 2, intervention: { ...warning, isApplied: false } },
    options,
  );
  expect(title).toBe("  ┃ sheepdog: would have said warn (failing-call, 4 times)");
  const named = itemLines(
    { type: "guardian", seq: 1, at: 1, turn: 2, intervention: { ...warning, evidence: [0] } },
    { ...options, verbose: true, callAt: () => failed },
  );
  expect(named.at(-1)).toBe("  ┃ call 1  bash npm test");
});

test("an intervention about a limit has no repetition count", () => {
  const overLimit: Intervention = {
    ...warning,
    detector: "run-cost",
    count: 360_000_000,
    evidence: [],
    message: "This run has used $0.36 of $0.44.",
  };
  expect(itemLines({ type: "guardian", seq: 1, at: 1, turn: 2, intervention: overLimit }, options)).toEqual([
    "  ┃ sheepdog: warn (run-cost)",
    "  ┃ This run has used $0.36 of $0.44.",
  ]);
});

test("the end does not repeat the message of the guardian or the reason", () => {
  const halted: RunResult = { ...ended, interventions: [{ ...warning, level: "halt", message: ended.problem ?? "" }] };
  const cancelled: RunResult = {
    ...ended,
    ...outcomes.cancelled,
    reason: "cancelled",
    problem: "The run was cancelled.",
  };
  for (const result of [halted, cancelled])
    expect(itemLines({ type: "end", seq: 1, at: 1, result }, { ...options, width: 100 })).toHaveLength(1);
});

test("the end includes the cost of subagents", () => {
  const halt: Intervention = { ...warning, level: "halt", message: ended.problem ?? "" };
  expect(
    itemLines(
      { type: "end", seq: 1, at: 1, result: { ...ended, interventions: [halt], costWithSubagentsNanoUsd: 3e9 } },
      { ...options, width: 120 },
    ),
  ).toEqual(["✗ Ended: the run has spent its budget (run_budget; 3 turns, $3.00 with its subagents)."]);
});

test("the end says why the run ended and what it cost", () => {
  expect(itemLines({ type: "end", seq: 1, at: 1, result: ended }, options)).toEqual([
    "✗ Ended: the run has spent its budget (run_budget; 3 turns,",
    "  $1.00).",
    "  This run has used $1.00 of $1.00.",
  ]);
  const done: RunResult = { ...ended, ...outcomes.answered, reason: "answered", costNanoUsd: null };
  expect(itemLines({ type: "end", seq: 1, at: 1, result: done }, options)).toEqual([
    "✓ Done: the agent answered (3 turns, price unknown).",
  ]);
});

test("the end says that a money limit could not be checked, unless the run ended for another reason later", () => {
  const unpriced: Intervention = {
    ...warning,
    detector: "run-cost",
    level: "halt",
    effect: "stop",
    isUnpriced: true,
    message: ended.problem ?? "",
  };
  const lineOf = (result: RunResult) =>
    itemLines({ type: "end", seq: 1, at: 1, result }, { ...options, width: 200 })[0];
  expect(lineOf({ ...ended, interventions: [unpriced] })).toBe(
    "✗ Ended: the price of the model is unknown, so the money limit cannot be checked (run_budget; 3 turns, $1.00).",
  );
  const { isUnpriced: _, ...spent } = unpriced;
  expect(lineOf({ ...ended, interventions: [unpriced, spent] })).toContain("the run has spent its budget");
  const cancelled = { ...ended, ...outcomes.cancelled, reason: "cancelled" as const };
  expect(lineOf({ ...cancelled, interventions: [unpriced] })).toContain("the run was cancelled");
});

test("thinking is shown only with verbose", () => {
  const thought: Item = { type: "thinking", seq: 1, at: 1, turn: 0, text: "Hm." };
  expect([itemLines(thought, options), itemLines(thought, { ...options, verbose: true })]).toEqual([[], ["  Hm."]]);
});

test("a text keeps its lines and its indentation, and none of it is lost", () => {
  const text = "Look:\n\n    const sum = one + two + three + four + five + six + seven + eight;\n";
  expect(itemLines({ type: "text", seq: 1, at: 1, turn: 0, text }, { ...options, width: 40 })).toEqual([
    "Look:",
    "",
    "    const sum = one + two + three + four",
    "    + five + six + seven + eight;",
  ]);
  const long = "x".repeat(100);
  expect(itemLines({ type: "text", seq: 1, at: 1, turn: 0, text: long }, { ...options, width: 40 }).join("")).toBe(
    long,
  );
});

const items: readonly Item[] = [
  {
    type: "prompt",
    seq: 1,
    at: 1,
    text: "Please fix the failing test, and tell me what was wrong with it. ".repeat(8),
    isResumed: true,
  },
  {
    type: "text",
    seq: 1,
    at: 1,
    turn: 0,
    text: "I begin with 漢字かな交じり文 and then continue with something else altogether, 🐑🐑🐑.",
  },
  failed,
  { ...failed, input: { command: "x".repeat(300) }, content: "y".repeat(300) },
  { ...failed, status: "blocked", blockedBy: "guardian" },
  {
    type: "guardian",
    seq: 1,
    at: 1,
    turn: 2,
    intervention: { ...warning, evidence: Array.from({ length: 60 }, (_, index) => index * 2) },
  },
  { type: "recovered", seq: 1, at: 1, turn: 3, episode: "e1" },
  {
    type: "note",
    seq: 1,
    at: 1,
    turn: 3,
    severity: "warning",
    text: "The provider is overloaded. Attempt 2 in 1.0 s.",
  },
  { type: "end", seq: 1, at: 1, result: ended },
];

test("a long line of a change is cut, and wrapped with its sign if everything is shown", () => {
  const edited: CallItem = {
    ...failed,
    tool: "edit",
    input: { path: "greet.js" },
    status: "ok",
    ms: 12,
    diff: [{ sign: "+", text: "  return 'Hello ' + (name ?? 'you');" }],
  };
  const narrow = { ...options, width: 36 };
  expect(itemLines(edited, narrow)).toEqual([
    "  edit greet.js  +1 -0  ✓ 0.0 s",
    "    +  return 'Hello ' + (name ?? '…",
  ]);
  expect(itemLines(edited, { ...narrow, verbose: true })).toEqual([
    "  edit greet.js  +1 -0  ✓ 0.0 s",
    "    +  return 'Hello ' + (name ??",
    "    +  'you');",
  ]);
});

describe("every item", () => {
  test.each([40, 60, 200])("fits into %d columns", (width) => {
    const lines = items.flatMap((item) => itemLines(item, { ...options, width, verbose: true }));
    expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
  });

  test("is plain ASCII when the terminal is dumb or does not support UTF-8", () => {
    for (const env of [{ TERM: "dumb" }, { LC_ALL: "C" }, { LANG: "de_DE.ISO-8859-1" }]) {
      const examples: readonly Item[] = [
        { ...failed, status: "blocked", blockedBy: "gate" },
        { type: "guardian", seq: 1, at: 1, turn: 2, intervention: warning },
        { type: "prompt", seq: 1, at: 1, text: "Go.", isResumed: true },
        { type: "end", seq: 1, at: 1, result: ended },
      ];
      const lines = examples.flatMap((item) => itemLines(item, { ...options, marks: marksFor(env) }));
      expect(lines.join("\n")).toMatch(/^[\x20-\x7e\n]*$/);
    }
    expect(marksFor({ LANG: "en_US.UTF-8" })).toEqual(marksFor({}));
  });

  test("contains no control sequences from untrusted text", () => {
    const hostile = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u001bPq\u001b\\\u202e\u200bx\rboo";
    const examples: readonly Item[] = [
      { type: "prompt", seq: 1, at: 1, text: hostile, isResumed: false },
      { type: "text", seq: 1, at: 1, turn: 0, text: hostile },
      { type: "thinking", seq: 1, at: 1, turn: 0, text: hostile },
      { ...failed, tool: hostile, input: { [hostile]: hostile, more: hostile }, content: hostile },
      { type: "guardian", seq: 1, at: 1, turn: 0, intervention: { ...warning, message: hostile, tool: hostile } },
      { type: "note", seq: 1, at: 1, turn: 0, severity: "info", text: hostile },
      { type: "end", seq: 1, at: 1, result: { ...ended, problem: hostile } },
    ];
    for (const verbose of [true, false])
      for (const item of examples)
        expect(itemLines(item, { ...options, verbose }).join("\n")).not.toMatch(
          // A call shows what it contains, by the code points of the characters that would hide it.
          item.type === "call" ? /[^\P{Cc}\n]|[\u202e\u200b]/u : /[^\P{Cc}\n]|[\u202e\u200b]|owned/u,
        );
  });
});

describe("a second opinion", () => {
  const opinion: Item = {
    type: "opinion",
    seq: 1,
    at: 1,
    turn: 3,
    question: "This exact call has been made 4 times.",
    verdict: "stuck",
    advice: "Read the\u001b[2J error.",
    model: "judge",
    costNanoUsd: 2_000_000,
  };

  test("is one line with the verdict and the advice, without control characters", () => {
    expect(itemLines(opinion, options)).toEqual(['  second opinion: stuck, "Read the error."']);
  });

  test("is shown in full with its question, the model and the cost", () => {
    expect(itemLines(opinion, { ...options, verbose: true }).slice(1)).toEqual([
      "    asked about: This exact call has been made 4 times.",
      "    answered by judge, $0.002",
    ]);
  });

  test("says why there is none", () => {
    const none = { type: "opinion", seq: 1, at: 1, turn: 3, verdict: "unsure" } as const;
    expect(itemLines({ ...none, skipped: "over budget: no" }, options)).toEqual([
      "  second opinion: unsure (not asked, over budget: no)",
    ]);
    expect(itemLines({ ...none, problem: "The request was cancelled." }, options)).toEqual([
      "  second opinion: unsure (The request was cancelled)",
    ]);
  });
});
