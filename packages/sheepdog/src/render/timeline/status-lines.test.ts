import type { AgentEvent, AgentEventBody } from "@sheepdog/agent";
import { createLiveItems } from "@sheepdog/agent/timeline";
import { expect, test } from "vitest";
import { directorEvents } from "../../../test/director-run.ts";
import { styleFor } from "../terminal/style.ts";
import { widthOf } from "../terminal/width.ts";
import { marksFor } from "./marks.ts";
import { initialStatus, nextStatus } from "./run-status.ts";
import { statusLines } from "./status-lines.ts";

const usage = { input: 3_000, cacheRead: 0, cacheWrite: 0, output: 400, isEstimated: false };

/** The status at `now` after events that happened at time 0. */
function linesAfter(bodies: readonly AgentEventBody[], now: number, width = 80, rows = 24): readonly string[] {
  const items = createLiveItems();
  let status = initialStatus;
  for (const body of bodies) {
    const event: AgentEvent = { ...body, seq: 0, at: 0, sessionId: "s", runId: "r", severity: "info" };
    items.add(event);
    status = nextStatus(status, event, { calls: items.live.calls, now: 0 });
  }
  return statusLines(status, { style: styleFor({ write() {} }, {}), width, rows, marks: marksFor({}), now });
}

const turn: AgentEventBody = { type: "TurnStarted", turn: 0 };
const started: AgentEventBody = { type: "ToolStart", callId: "c", tool: "bash", input: { command: "npm test" } };
const output = (text: string): AgentEventBody => ({ type: "ToolOutput", callId: "c", text });

test("before the first token, the status says for how long the model is waited for", () => {
  expect(linesAfter([turn], 12_300)).toEqual(["⠸ waiting for the model  12 s"]);
});

test("tokens and cost so far are shown once a request has been paid for", () => {
  const paid: AgentEventBody[] = [
    { type: "UsageUpdate", usage, total: usage },
    { type: "CostEvent", model: "m", costNanoUsd: 1, totalNanoUsd: 12_000_000 },
    turn,
  ];
  expect(linesAfter(paid, 0)).toEqual(["⠋ waiting for the model  0 s · 3.4 k tokens · $0.012"]);
  expect(linesAfter(paid, 0, 40)).toEqual(["⠋ waiting for the model  0 s · $0.012"]);
  const unpriced: AgentEventBody = { type: "CostEvent", model: "m", costNanoUsd: null, totalNanoUsd: null };
  expect(linesAfter([...paid, unpriced], 0)[0]).toContain("price unknown");
});

test("a retry counts down, then the model is waited for again", () => {
  const limited = { waitingFor: "rate-limit", since: 0, problem: "429", model: "m" } as const;
  const retry: AgentEventBody = { type: "ProviderRetry", ...limited, attempt: 3, waitMs: 12_000 };
  expect(linesAfter([turn, retry], 1_000)).toEqual(["⠋ retry in 11 s (attempt 3)  "]);
  expect(linesAfter([turn, retry], 12_500)).toEqual(["⠴ waiting for the model  "]);
});

test("a wait for money counts up over its attempts", () => {
  const wait: AgentEventBody = { type: "BudgetWait", limit: "day-cost", reserved: 1, waitMs: 500 };
  expect(linesAfter([turn, wait, wait], 4_000)).toEqual(["⠋ waiting for a budget that other requests hold  4 s"]);
});

test("a running command is shown with the newest lines of its output", () => {
  const lines = linesAfter([turn, started, output("1\n2\n3\n4\n5\n6\nbusy 10%\rbusy 20%")], 65_000);
  expect(lines).toEqual(
    [..."3456"].map((digit) => `    ${digit}`).concat("    busy 20%", "⠋ bash npm test  1 min 5 s"),
  );
  expect(linesAfter([turn, started, output("1\n2\n3\n")], 0, 80, 5)).toEqual(["    3", "⠋ bash npm test  0 s"]);
  const ended: AgentEventBody = { type: "ToolEnd", callId: "c", tool: "bash", status: "ok", content: "", ms: 1 };
  expect(linesAfter([turn, started, output("1\n"), ended], 0)).toEqual(["⠋ waiting for the model  0 s"]);
});

test("while a plan is executed, the status names the nodes that run, and how many are done", () => {
  const call: AgentEventBody = {
    type: "ToolStart",
    callId: "p",
    tool: "execute_plan",
    input: { nodes: [{ id: "fetch", prompt: "long" }, { id: "parser" }], edges: [] },
  };
  expect(linesAfter([turn, call], 0)).toEqual(["⠋ execute_plan fetch, parser  0 s"]);
  expect(linesAfter([turn, call, ...directorEvents.slice(0, 8)], 2_000)).toEqual([
    "⠋ 2 of 7 nodes done, running: parser, docs  2 s",
  ]);
  expect(linesAfter([turn, call, ...directorEvents], 2_000)).toEqual([
    "⠋ 5 of 7 nodes done, running: test-printer  2 s",
  ]);
  const paid: AgentEventBody[] = [
    { type: "UsageUpdate", usage, total: usage },
    { type: "CostEvent", model: "m", costNanoUsd: 1, totalNanoUsd: 5e7, purpose: "plan" },
  ];
  expect(linesAfter([turn, ...paid, call, ...directorEvents], 0)).toEqual([
    "⠋ 5 of 7 nodes done, running: test-printer  0 s · 3.4 k tokens · $1.05",
  ]);
  const ended: AgentEventBody[] = [{ type: "TurnComplete", turn: 0 }, { type: "TurnStarted", turn: 1 }, started];
  expect(linesAfter([turn, call, ...directorEvents, ...ended], 0)[0]).not.toContain("nodes");
});

test("thinking and long arguments are shown, and nothing while the user is asked or the run is over", () => {
  expect(linesAfter([turn, { type: "ThinkingDelta", text: "hm" }], 0)[0]).toContain("the model is thinking");
  const writing: AgentEventBody = { type: "ToolUseStart", callId: "c", tool: "write" };
  expect(linesAfter([turn, writing], 0)[0]).toContain("the model writes a call of write");
  const asked: AgentEventBody = { type: "ApprovalRequested", callId: "c", tool: "bash", reason: "", input: {} };
  expect(linesAfter([turn, asked], 0)).toEqual([]);
});

test("no line is as wide as the terminal, and output cannot control it", () => {
  for (const width of [20, 40, 80])
    for (const line of linesAfter([turn, started, output(`\u001b[2J${"wide 羊 ".repeat(40)}\n`)], 0, width)) {
      expect(widthOf(line)).toBeLessThan(width);
      expect(line).not.toContain("\u001b");
    }
});
