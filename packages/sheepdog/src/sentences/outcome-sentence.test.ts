import { describe, expect, test } from "vitest";
import { oneOClock } from "../../test/run-data.ts";
import type { Loop } from "../saved-runs/trace/loops.ts";
import type { OutcomeFacts } from "./outcome-facts.ts";
import { outcomeSentence } from "./outcome-sentence.ts";
import { plainSentence } from "./say.ts";

const migrate = { id: "c0", tool: "bash", input: { command: "npm run migrate" } };
const loop: Loop = {
  episode: "e1",
  detector: "failing-call",
  level: "halt",
  appliedLevel: "halt",
  calls: [migrate],
  times: 212,
  tool: "bash",
  from: oneOClock,
  to: oneOClock,
  costNanoUsd: 37_810_000_000,
  recoveredAt: undefined,
};
const facts: OutcomeFacts = {
  kind: "run",
  state: "completed",
  reason: "answered",
  endedAt: oneOClock + 340 * 60_000,
  prompt: "Update the dependencies. Run all tests.",
  text: "",
  problem: undefined,
  lastWords: undefined,
  model: "claude-sonnet-4-5",
  loop: undefined,
  refused: 0,
  limit: undefined,
  isStoppedByAnswer: false,
  waiting: undefined,
  doing: { type: "thinking" },
};
const outcome = (more: Partial<OutcomeFacts>) => plainSentence(outcomeSentence({ ...facts, ...more }));
const limit = (name: NonNullable<OutcomeFacts["limit"]>["name"], stop: number | undefined, isUnpriced = false) => ({
  state: "budget_exceeded" as const,
  limit: { name, stop, isUnpriced },
  lastWords: "88 of 140 vendor pages read. The next is page 89.",
});

describe("a live run", () => {
  const live = (more: Partial<OutcomeFacts>) => outcome({ state: "running", reason: undefined, ...more });

  test("waits for an answer, an approval, or a reply", () => {
    const playwright = { id: "c", tool: "bash", input: { command: "npx playwright test checkout" } };
    expect(
      outcomeSentence({
        ...facts,
        state: "waiting_for_input",
        waiting: { for: "question" },
        loop: { ...loop, calls: [playwright], times: 5 },
      }),
    ).toEqual([
      { text: "Waiting for you: " },
      { code: "npx playwright test checkout" },
      { text: " failed 5 times the same way" },
    ]);
    expect(live({ waiting: { for: "question" }, ...limit("turns", 50), state: "running" })).toBe(
      "Waiting for you: it reached its limit of 50 turns",
    );
    expect(live({ waiting: { for: "question" } })).toBe("Waiting for you: Update the dependencies");
    expect(live({ waiting: { for: "approval", call: { tool: "bash", input: { command: "terraform apply" } } } })).toBe(
      "Waiting for approval: terraform apply",
    );
    expect(live({ waiting: { for: "reply", question: "Which branch? There are two." } })).toBe(
      "Waiting for your reply: Which branch?",
    );
  });

  test("says what it is about, and what it does now", () => {
    const call = (tool: string, input: unknown, others = 0) =>
      live({ doing: { type: "call", call: { tool, input }, others } });
    const task = "Update the dependencies";
    expect(call("bash", { command: "npm test\nnpm run lint" })).toBe(`${task}: running npm test …`);
    expect(call("read", { path: "src/a.ts" }, 2)).toBe(`${task}: reading src/a.ts and 2 more calls`);
    expect(call("edit", { path: "src/a.ts", old: "a", new: "b" })).toBe(`${task}: editing src/a.ts`);
    expect(call("write", { path: "help/de/billing.md" })).toBe(`${task}: writing help/de/billing.md`);
    expect(call("web_search", { query: "hono" })).toBe(`${task}: calling web_search hono`);
    expect(live({ doing: { type: "retry", problem: "overloaded (529)." } })).toBe(
      `${task}: waiting for the model, overloaded (529)`,
    );
    expect(live({ lastWords: "Updated 3 of 14 packages." })).toBe(`${task}: updated 3 of 14 packages`);
    expect(live({ prompt: "", lastWords: "Updated 3 of 14 packages." })).toBe("Updated 3 of 14 packages");
    expect(live({})).toBe("Working on: Update the dependencies");
    expect(live({ lastWords: "I run it again." })).toBe("Working on: Update the dependencies");
  });
});

describe("a run that ended well", () => {
  test("is told by its answer, without markdown", () => {
    expect(outcome({ text: "## Summary\n\n**Updated 14 dependencies**; all 412 tests pass. See below." })).toBe(
      "Updated 14 dependencies; all 412 tests pass",
    );
    expect(outcome({ text: "Release notes posted to Slack once.", refused: 2 })).toBe(
      "Release notes posted to Slack once; 2 repeated calls were refused",
    );
    expect(outcome({ text: "Posted once.", refused: 1 })).toBe("Posted once; one repeated call was refused");
    expect(outcome({ text: " \n" })).toBe("Done: Update the dependencies");
    expect(outcome({ text: "Done." })).toBe("Done: Update the dependencies");
  });

  test("is told by its prompt if that is a question", () => {
    expect(outcome({ prompt: "Why is login slow after a cold start?", text: "Because." })).toBe(
      "Answered: why is login slow after a cold start?",
    );
    expect(outcome({ prompt: "SQL or files?", text: "Files." })).toBe("Answered: SQL or files?");
  });
});

describe("a run that ended without an answer", () => {
  test("by the guardian: what repeated, how often, and when it ended", () => {
    expect(outcomeSentence({ ...facts, state: "error", reason: "tool_failures", loop })).toEqual([
      { code: "npm run migrate" },
      { text: " failed 212 times the same way; the guardian ended the run at 06:40" },
    ]);
    const ended = (detector: Loop["detector"], more: Partial<Loop> = {}) =>
      outcome({
        state: "error",
        reason: "doom_loop",
        endedAt: undefined,
        loop: { ...loop, detector, times: 6, ...more },
      });
    const end = "; the guardian ended the run";
    const ls = { id: "c1", tool: "ls", input: { path: "src" } };
    expect(ended("doom-loop")).toBe(`npm run migrate was repeated 6 times with the same result${end}`);
    expect(ended("same-call", { calls: [] })).toBe(
      `The same call to bash was repeated 6 times with the same result${end}`,
    );
    expect(ended("cycle", { calls: [migrate, ls] })).toBe(
      `The same calls were made in turn 6 times: npm run migrate, ls src${end}`,
    );
    expect(ended("side-effect-repeat")).toBe(`npm run migrate was done 6 times${end}`);
    expect(ended("failing-tool")).toBe(`bash failed 6 times with the same error${end}`);
    expect(ended("failing-run")).toBe(`6 calls failed, and nothing in between brought anything new${end}`);
    expect(ended("no-progress")).toBe(`6 calls to bash brought nothing new${end}`);
    expect(ended("denial")).toBe(`6 calls in a row were refused${end}`);
    expect(ended("chant")).toBe(`The model wrote the same text over and over${end}`);
    expect(ended("monologue")).toBe(`6 replies in a row said the same, and nothing was done${end}`);
    expect(ended("stall")).toBe(`Nothing came for too long${end}`);
    expect(ended("spawn")).toBe(`Too many subagents were started${end}`);
    expect(ended("stuck-child")).toBe(`6 subagents in a row got stuck${end}`);
    expect(ended("refused-answers")).toBe(`6 answers in a row did not meet the goal${end}`);
    expect(ended("compaction")).toBe(`The history was compacted 6 times, and the context is still full${end}`);
    expect(outcome({ state: "error", reason: "chant", problem: "The reply repeats itself." })).toBe(
      "The guardian ended the run at 06:40: The reply repeats itself",
    );
  });

  test("at a limit: which one, and how far it came", () => {
    const rest = ": 88 of 140 vendor pages read";
    expect(outcome(limit("run-cost", 2_000_000_000))).toBe(`Ended at its limit of $2.00${rest}`);
    expect(outcome(limit("run-cost", undefined))).toBe(`Ended at its limit${rest}`);
    expect(outcome(limit("run-tokens", 90_000))).toBe(`Ended at its limit of 90,000 tokens${rest}`);
    expect(outcome(limit("turns", 1))).toBe(`Ended at its limit of 1 turn${rest}`);
    expect(outcome(limit("time", 5_400_000))).toBe(`Ended at its time limit of 1 h 30 min${rest}`);
    expect(outcome(limit("context", 95))).toBe(`Ended at its context limit of 95 %${rest}`);
    expect(outcome(limit("session-cost", 5e9))).toBe(`Ended at its session's limit of $5.00${rest}`);
    expect(outcome(limit("day-cost", 60e9))).toBe(`Ended at the day's limit of $60.00${rest}`);
    expect(outcome(limit("month-cost", 400e9))).toBe(`Ended at the month's limit of $400.00${rest}`);
    expect(outcome(limit("run-cost", 2e9, true))).toBe(
      "Ended because the price of claude-sonnet-4-5 is unknown, so its limit cannot be checked",
    );
  });

  test("by the user, by a crash, or by what failed", () => {
    expect(outcome({ state: "cancelled", reason: "cancelled", lastWords: "Checking out main." })).toBe(
      "Stopped by you: Update the dependencies",
    );
    expect(outcome({ state: "error", reason: "tool_failures", isStoppedByAnswer: true, loop })).toBe(
      "Stopped by you: npm run migrate failed 212 times the same way",
    );
    expect(outcome({ ...limit("turns", 50), isStoppedByAnswer: true })).toBe(
      "Stopped by you: 88 of 140 vendor pages read",
    );
    expect(outcome({ state: "broken_off", reason: undefined })).toBe(
      "Its process ended before it was done: Update the dependencies",
    );
    expect(outcome({ state: "broken_off", reason: undefined, loop })).toBe(
      "Its process ended before it was done: npm run migrate failed 212 times the same way",
    );
    const failed = (reason: OutcomeFacts["reason"]) =>
      outcome({ state: "error", reason, problem: "No answer. Ask again." });
    expect(failed("goal_escalated")).toBe("Needs your help to reach its goal: No answer");
    expect(failed("provider_error")).toBe("Ended because the request to the model failed: No answer");
    expect(failed("refused")).toBe("Ended because the model refused: No answer");
    expect(failed("internal_error")).toBe("Ended by an internal error: No answer");
    expect(failed("prompt_too_long")).toBe(
      "Ended because the prompt does not fit into the context of claude-sonnet-4-5",
    );
  });
});

test("a recording is told by its loop, its task, or its last words", () => {
  const recording = (more: Partial<OutcomeFacts>) => outcome({ kind: "recording", ...more });
  expect(recording({ loop: { ...loop, times: 12 }, text: "It is done." })).toBe(
    "Recording: npm run migrate failed 12 times the same way, then it finished",
  );
  expect(recording({ loop: { ...loop, times: 12 } })).toBe("Recording: npm run migrate failed 12 times the same way");
  expect(recording({})).toBe("Recording: Update the dependencies");
  expect(recording({ prompt: "", lastWords: "All files read." })).toBe("Recording: All files read");
  expect(recording({ prompt: "" })).toBe("Recording: nothing was said");
});
