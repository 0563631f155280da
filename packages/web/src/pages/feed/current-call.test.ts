import { expect, test } from "vitest";
import type { WireEvent } from "../../contract/index.ts";
import { followCalls } from "./current-call.ts";

const head = { seq: 1, at: 1_000, sessionId: "ses_1", runId: "run_1", severity: "info" } as const;
const event = (body: object) => ({ ...head, ...body }) as WireEvent; // each body is a whole event
const start = event({ type: "ToolStart", callId: "call_1", tool: "bash", input: { command: "npm test\necho done" } });

test("a call is current from its start to its end", () => {
  const running = followCalls(new Map(), [start]);
  expect([...running]).toEqual([
    ["run_1", { callId: "call_1", since: 1_000, words: [{ text: "running " }, { code: "npm test" }] }],
  ]);
  const end = event({ type: "ToolEnd", callId: "call_1", tool: "bash", status: "ok", content: "", ms: 5 });
  expect(followCalls(running, [end]).size).toBe(0);
});

test("the end of an earlier call does not end a later one that runs beside it", () => {
  const second = event({ type: "ToolStart", callId: "call_2", tool: "read", input: { path: "a.ts" } });
  const end = event({ type: "ToolEnd", callId: "call_1", tool: "bash", status: "ok", content: "", ms: 5 });
  expect(followCalls(new Map(), [start, second, end]).get("run_1")?.words).toEqual([
    { text: "read " },
    { code: "a.ts" },
  ]);
});

test("events without calls change nothing", () => {
  const calls = new Map();
  expect(followCalls(calls, [event({ type: "TurnStarted", turn: 2 })])).toBe(calls);
});
