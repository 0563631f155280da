import type { AgentEvent, AgentEventBody, RunResult } from "@sheepdog/agent";
import type { Intervention } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { noticeOf } from "../../test/channels/samples.ts";
import { noticeText, plainMessage } from "./notice-text.ts";
import { type NoticeFacts, noticeOfEvent } from "./notices-of-events.ts";

const facts: NoticeFacts = {
  run: noticeOf().run,
  prompt: "Fix the login test, and then the others.",
  costNanoUsd: 420_000_000,
  limits: { "run-cost": { stop: 1_000_000_000 }, "month-cost": { stop: 5_000_000_000 } },
  showCommand: "sheepdog show run_1",
  resumeCommand: ({ sessionId }) => `sheepdog run --resume ${sessionId}`,
};
const event = (body: AgentEventBody, runId = "run_1"): AgentEvent => ({
  ...body,
  ...{ seq: 1, at: 1_000, sessionId: "ses_1", runId, severity: "info" },
});
const notice = (body: AgentEventBody, runId?: string) => noticeOfEvent(event(body, runId), facts, "ntc_1");
const text = (body: AgentEventBody) => {
  const made = notice(body);
  return made === undefined ? undefined : plainMessage(noticeText(made));
};
const intervention = (more: Partial<Intervention>): Intervention => ({
  ...{ id: "e1/halt", detector: "doom-loop", level: "halt", effect: "stop", call: 3, evidence: [1, 2], count: 8 },
  ...{ message: "The same call was made 8 times. Try something else.", isApplied: true },
  ...more,
});
const result: RunResult = {
  ...{ sessionId: "ses_1", runId: "run_1", state: "completed", reason: "answered", exitCode: 0, turns: 2 },
  ...{ text: "**Done.** The login test passes now. Then more.", interventions: [], costNanoUsd: 500_000_000 },
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, isEstimated: false },
};

test("an approval shows the whole command, why it is asked, and the cost so far", () => {
  const asked = {
    ...({ type: "ApprovalRequested", callId: "c1", tool: "bash" } as const),
    ...{ reason: "It writes to a remote.", input: { command: "git push\n  --force" } },
  };
  expect(text(asked)).toBe(
    "Approval wanted · my-app\nThe agent wants to run a command.\ngit push\n  --force\nIt writes to a remote.\n" +
      "Task: Fix the login test\n$0.42 so far",
  );
  expect(notice(asked, "run_of_a_subagent")).toMatchObject({ topic: { type: "approval", callId: "c1" } });
});

test("the end has the sentence of the outcome, the cost, and the command that continues", () => {
  expect(text({ type: "RunComplete", result })).toBe(
    "Run ended · my-app\nThe login test passes now.\nCost: $0.50\nsheepdog show run_1",
  );
  const stopped = { ...result, state: "budget_exceeded", reason: "run_budget", text: "…" } as const;
  expect(text({ type: "RunError", result: stopped })).toBe(
    "Run ended · my-app\nEnded at its limit: Fix the login test, and then the others.\nCost: $0.50\n" +
      "sheepdog run --resume ses_1",
  );
});

test("a run that a signal or its user ended was stopped", () => {
  const cancelled = { ...result, state: "cancelled", reason: "cancelled", text: "" } as const;
  expect(notice({ type: "RunError", result: cancelled })?.sentence).toBe(
    "Stopped: Fix the login test, and then the others.",
  );
  const answered = notice({ type: "RunError", result: { ...cancelled, isStoppedByUser: true } });
  expect(answered?.sentence).toMatch(/^Stopped by you: /);
});

test("a halt, a budget and a hint are told with what can be done about them", () => {
  expect(notice({ type: "GuardianIntervention", intervention: intervention({}) })).toMatchObject({
    kind: "halt",
    sentence: "The guardian ended the run: The same call was made 8 times.",
    command: "sheepdog run --resume ses_1",
  });
  const money = intervention({ detector: "run-cost", effect: "tell", message: "80 % of the budget is spent." });
  expect(notice({ type: "BudgetWarning", intervention: money })).toMatchObject({
    kind: "budget",
    topic: { type: "run", limit: { name: "run-cost", more: 1_000_000_000 } },
  });
  const month = intervention({ detector: "month-cost", effect: "tell", message: "The month is nearly spent." });
  expect(notice({ type: "BudgetWarning", intervention: month })?.topic).toEqual({ type: "run" });
  expect(notice({ type: "GuardianHint", intervention: intervention({ effect: "tell" }) })?.kind).toBe("hint");
});

test("the command of a reached limit knows the limit and how much was used", () => {
  const ended: unknown[] = [];
  const known = { ...facts, resumeCommand: (end: object) => void ended.push(end) };
  const reached = intervention({ detector: "turns", message: "25 turns are used.", count: 25 });
  noticeOfEvent(event({ type: "BudgetExceeded", intervention: reached }), known, "ntc_1");
  expect(ended).toEqual([{ sessionId: "ses_1", reason: "max_turns", interventions: [reached] }]);
});

test("most events, and what only concerns a subagent, are not told", () => {
  expect(notice({ type: "TurnStarted", turn: 1 })).toBeUndefined();
  expect(notice({ type: "ToolStart", callId: "c", tool: "bash", input: {} })).toBeUndefined();
  expect(notice({ type: "RunComplete", result }, "run_of_a_subagent")).toBeUndefined();
  const observed = intervention({ isApplied: false });
  expect(notice({ type: "GuardianIntervention", intervention: observed })).toBeUndefined();
});

test("an approval hides no part of what is approved", () => {
  const ask = (tool: string, input: unknown) =>
    notice({ ...({ type: "ApprovalRequested", callId: "c1", tool } as const), reason: "It writes.", input });
  expect(ask("bash", { command: "ls \u001b]0;; rm -rf src\u0007" })?.code).toBe("ls \\u{1b}]0;; rm -rf src\\u{7}");
  expect(ask("files__run", { command: "git status", path: "/etc" })).toMatchObject({
    sentence: "The agent wants to use files__run.",
    code: "files__run\ncommand: git status\npath: /etc",
  });
  const { code = "" } = ask("bash", { command: `echo ${"😀".repeat(900)}; rm -rf src` }) ?? {};
  expect(code).toMatch(/^echo (😀)+\n… 1\d{3} characters are not shown …\n(😀)+; rm -rf src$/u);
  expect(code.length).toBeLessThanOrEqual(500);
});

test("control characters and long texts of an agent are cut", () => {
  const made = notice({
    ...({ type: "ToolStart", callId: "c", tool: "ask_user" } as const),
    input: { question: `\u001b[2J${"why? ".repeat(500)}`, choices: ["a", 3] },
  });
  expect(made?.sentence.length).toBeLessThan(330);
  expect(made?.sentence).not.toContain("\u001b");
  expect(made?.topic).toMatchObject({ choices: ["a"] });
});
