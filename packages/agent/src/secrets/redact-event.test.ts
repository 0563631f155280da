import { describe, expect, test } from "vitest";
import type { AgentEventBody } from "../protocol/events.ts";
import { createRedact } from "./redact.ts";
import { redactEvent } from "./redact-event.ts";

const redact = createRedact();
const usage = { input: 1, cacheRead: 2, cacheWrite: 3, output: 4, isEstimated: true };
const secret = "password=hunter2";
const hidden = "password=…";

const bodies: readonly (readonly [body: AgentEventBody, redacted: Record<string, unknown>])[] = [
  [{ type: "TextDelta", text: secret }, { text: hidden }],
  [{ type: "ThinkingDelta", text: secret }, { text: hidden }],
  [
    { type: "ToolInputDelta", callId: "c", text: secret },
    { callId: "c", text: hidden },
  ],
  [{ type: "TurnStarted", turn: 3 }, { turn: 3 }],
  [{ type: "TurnComplete", turn: 3 }, { turn: 3 }],
  [{ type: "Checkpointed", turn: 3 }, { turn: 3 }],
  [{ type: "StateChanged", state: "running" }, { state: "running" }],
  [
    { type: "ToolUseStart", callId: "c", tool: "read" },
    { callId: "c", tool: "read" },
  ],
  [{ type: "StreamEnd", isComplete: true }, { isComplete: true }],
  [
    { type: "StreamEnd", isComplete: false, problem: secret },
    { isComplete: false, problem: hidden },
  ],
  [
    { type: "UsageUpdate", usage, total: usage },
    { usage, total: usage },
  ],
  [
    { type: "CostEvent", model: "m", costNanoUsd: null, totalNanoUsd: 5 },
    { model: "m", costNanoUsd: null, totalNanoUsd: 5 },
  ],
  [
    { type: "GateDecision", callId: "c", tool: "read", tier: 0, decision: "allow", reason: secret },
    { callId: "c", tool: "read", tier: 0, decision: "allow", reason: hidden },
  ],
  [
    { type: "ToolStart", callId: "c", tool: "read", input: { path: secret, password: "x", deep: [{ token: "y" }] } },
    { callId: "c", tool: "read", input: { path: hidden, password: "…", deep: [{ token: "…" }] } },
  ],
  [
    { type: "ToolEnd", callId: "c", tool: "read", status: "ok", content: secret, ms: 1 },
    { callId: "c", tool: "read", status: "ok", content: hidden, ms: 1 },
  ],
  [
    { type: "ToolEnd", callId: "c", tool: "read", status: "ok", content: secret, ms: 1, details: { secret: "x" } },
    { callId: "c", tool: "read", status: "ok", content: hidden, ms: 1, details: { secret: "…" } },
  ],
  [{ type: "RunStarted", prompt: secret }, { prompt: hidden }],
  [
    {
      type: "RunStarted",
      prompt: "Go.",
      limits: { "run-tokens": { stop: 5 }, "run-cost": { warn: 1 } },
      mode: "guide",
    },
    { prompt: "Go.", limits: { "run-tokens": { stop: 5 }, "run-cost": { warn: 1 } }, mode: "guide" },
  ],
  [
    { type: "StreamEnd", isComplete: true, text: secret, thinking: secret },
    { isComplete: true, text: hidden, thinking: hidden },
  ],
  [{ type: "UserMessage", text: secret }, { text: hidden }],
];

describe.each(bodies)("%o", (body, redacted) => {
  const event = redactEvent(body, redact);

  test("keeps its fields in order and loses its secrets", () => {
    expect(JSON.stringify(event)).toBe(JSON.stringify({ type: body.type, ...redacted }));
  });

  test("is frozen at every depth", () => {
    expect(isFrozenThroughout(event)).toBe(true);
  });
});

test("a new optional field of an event is published", () => {
  const body = { type: "TurnStarted", turn: 1, added: "later" } as unknown as AgentEventBody; // not in the type yet
  expect(redactEvent(body, redact)).toEqual({ type: "TurnStarted", turn: 1, added: "later" });
});

test("a gate that gives no reason is published without one", () => {
  const body = {
    type: "GateDecision",
    callId: "c",
    tool: "read",
    tier: 0,
    decision: "allow",
    reason: undefined,
  } as unknown as AgentEventBody; // from a gate in JavaScript
  expect(redactEvent(body, redact)).toMatchObject({ reason: undefined });
});

function isFrozenThroughout(value: unknown): boolean {
  return (
    typeof value !== "object" ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(isFrozenThroughout))
  );
}

test("a value under the name of a secret is replaced, whatever its type", () => {
  const input = { api_key: 987_654, secret: { a: "hunter2" }, password: "", token: null, hasPassword: true, path: "a" };
  expect(redactEvent({ type: "ToolStart", callId: "c", tool: "read", input }, redact)).toMatchObject({
    input: { api_key: "…", secret: "…", password: "", token: null, hasPassword: true, path: "a" },
  });
});
