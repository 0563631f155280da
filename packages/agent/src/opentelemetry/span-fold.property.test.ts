import fc from "fast-check";
import { expect, test } from "vitest";
import { severities } from "../events/severity.ts";
import type { AgentEvent, AgentEventType } from "../protocol/events.ts";
import { createSpanFold } from "./span-fold.ts";
import { readOperations } from "./testing/check-operations.ts";

const id = (prefix: string, count: number) => fc.integer({ min: 1, max: count }).map((number) => `${prefix}_${number}`);
const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, isEstimated: true };
const intervention = {
  id: "e/hint",
  detector: "cycle",
  level: "hint",
  effect: "tell",
  count: 3,
  isApplied: true,
  message: "",
};

/** An event of any type in any order, with all fields that any event has: references may point anywhere. */
const anyEvent = fc
  .record({
    type: fc.constantFrom(...(Object.keys(severities) as AgentEventType[])),
    sessionId: id("ses", 4),
    runId: id("run", 4),
    at: fc.integer({ min: 0, max: 100_000 }),
    callId: id("call", 3),
    requestId: id("req", 3),
    childId: id("ses", 4),
    turn: fc.integer({ min: 1, max: 3 }),
    stop: fc.constantFrom(undefined, "end", "calls", "incomplete", "interrupted"),
    failure: fc.constantFrom(undefined, "network", "timeout"),
    purpose: fc.constantFrom(undefined, "judge", "opinion", "memory"),
    state: fc.constantFrom("completed", "error"),
    ms: fc.integer({ min: 0, max: 1_000 }),
  })
  .map((fields) => {
    const { sessionId, runId, state } = fields;
    const result = {
      sessionId,
      runId,
      state,
      reason: "answered",
      text: "",
      turns: 1,
      usage,
      costNanoUsd: 1,
      interventions: [],
    };
    const texts = {
      tool: "read",
      model: "m",
      provider: "p",
      prompt: "p",
      content: "c",
      text: "t",
      reason: "r",
      message: "m",
    };
    const rest = {
      attempt: 1,
      maxOutputTokens: 9,
      isStreamed: true,
      usage,
      status: "ok",
      costNanoUsd: 1,
      nodes: [],
      problems: [],
    };
    const question = { id: "q", text: "?", intervention };
    // any event: the fold must survive events that no run publishes in this order
    return {
      seq: 1,
      severity: "info",
      ...texts,
      ...rest,
      result,
      intervention,
      question,
      diagnosis: "d",
      problem: "p",
      ...fields,
    } as unknown as AgentEvent;
  });

test("any sequence of events gives spans that start and end once, below open parents, and leaves none open", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 120 }), fc.boolean(), (events, captureContent) => {
      const fold = createSpanFold({ captureContent });
      const operations = events.flatMap((event) => fold.apply(event));
      const spans = readOperations([...operations, ...fold.close(200_000)]);
      expect(fold.openSpans).toBe(0);
      expect(spans.filter(({ endedAt }) => endedAt === undefined)).toEqual([]);
      expect(operations.every(({ at }) => Number.isFinite(at))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("a fold whose runs have ended holds nothing, however long it lives", () => {
  const fold = createSpanFold();
  const of = (type: AgentEventType, runId: string, more: object = {}) =>
    ({ type, seq: 1, at: 1, sessionId: runId, runId, severity: "info", prompt: "", ...more }) as unknown as AgentEvent;
  for (let index = 0; index < 500; index += 1) {
    const runId = `run_${index}`;
    fold.apply(of("RunStarted", runId));
    fold.apply(of("TurnStarted", runId, { turn: 1 }));
    fold.apply(of("ChildStarted", runId, { childId: `never_${index}`, callId: "c" }));
    fold.apply(
      of("RunError", runId, { result: { state: "error", reason: "stall", usage, turns: 1, costNanoUsd: null } }),
    );
  }
  expect(fold.openSpans).toBe(0);
  expect(fold.close(1)).toEqual([]);
});
