import type { AgentEvent } from "@sheepdog/agent";
import { feedItemSchema, runDetailSchema, runRowSchema, sentenceSchema } from "@sheepdog/web/contract";
import { expect, test } from "vitest";
import { directorEvents } from "../../../../test/director-run.ts";
import { nightRun, runDataOf } from "../../../../test/run-data.ts";
import { readableEvents } from "../../../saved-runs/readable-events.ts";
import { feedItems } from "../feed-items/feed-items.ts";
import { interventionViews } from "../run-detail/intervention-views.ts";
import { lede } from "../run-detail/lede.ts";
import { planViews } from "../run-detail/plan-views.ts";
import { runRow } from "../run-index/run-row.ts";
import { toWireEvent } from "../wire-event.ts";
import { type RunData, savedRunData } from "./run-data.ts";

/** Builds every document of a run, and checks it. */
function checkDocuments(data: RunData): void {
  runRowSchema.parse(runRow(data));
  sentenceSchema.parse(lede(data));
  runDetailSchema.shape.interventions.parse(interventionViews(data, () => null));
  runDetailSchema.shape.plans.parse(planViews({ ...data, subagents: [] }));
  for (const item of feedItems(data)) feedItemSchema.parse({ ...item, position: 1 });
  for (const event of data.events) toWireEvent(event);
}

/** Values that a field may have in damaged data. */
const oddValues: readonly unknown[] = [
  null,
  undefined,
  "",
  7,
  -1,
  Number.NaN,
  [],
  {},
  "x".repeat(10_000),
  "halt",
  true,
];

const whole = [
  ...nightRun().events.slice(0, 40),
  ...runDataOf(directorEvents.map((body) => [1, body])).events,
  ...runDataOf([
    [1, { type: "ApprovalRequested", callId: "a", tool: "bash", reason: "why", input: { command: "rm x" } }],
    [2, { type: "ApprovalResolved", callId: "a", isAllowed: true }],
    [2, { type: "LimitChanged", limit: "run-cost", stop: 5 }],
    [2, { type: "GuardianMuted", detector: "cycle" }],
    [2, { type: "ContextCompacted", before: 10, after: 5, strategy: "summary" }],
    [3, { type: "JudgeVerdict", verdict: "retry", reason: "No." }],
    [3, { type: "OpinionGiven", request: "e1/ask/1", verdict: "stuck", advice: "Look." }],
    [3, { type: "ChildStarted", childId: "ses_2", task: "Count.", depth: 1 }],
    [4, { type: "ChildComplete", childId: "ses_2", reason: "answered" }],
  ]).events,
];

/** The last event of each type, with its place. */
function oneOfEachType(): readonly (readonly [number, AgentEvent])[] {
  return [...new Map(whole.map((event, index) => [event.type, [index, event] as const])).values()];
}

function dataOf(events: readonly unknown[], state: "error" | "running" = "error"): RunData {
  const { summary } = runDataOf([], { run: { state }, summary: { state } });
  return savedRunData(summary, {
    saved: { messages: [], unansweredCalls: [], runs: [summary.run], lastSeq: 0 },
    ...readableEvents(events),
  });
}

test("documents can be built from a run without any event", () => {
  checkDocuments(dataOf([]));
  checkDocuments(dataOf([], "running"));
});

test("documents can be built whatever a field of an event is", () => {
  for (const [index, event] of oneOfEachType())
    for (const field of Object.keys(event)) {
      const value = oddValues[(index + field.length) % oddValues.length];
      for (const damaged of [value, oddValues[(index * 7 + field.length) % oddValues.length]]) {
        const events = whole.with(index, { ...event, [field]: damaged } as AgentEvent);
        checkDocuments(dataOf(events, index % 2 === 0 ? "error" : "running"));
      }
    }
});

test("documents can be built whatever is inside of an intervention or a result", () => {
  for (const [index, event] of oneOfEachType()) {
    const name = ["intervention", "question", "result"].find((key) => key in event);
    if (name === undefined) continue;
    const inner = (event as unknown as Record<string, Record<string, unknown>>)[name] ?? {};
    for (const field of Object.keys(inner))
      for (const value of oddValues)
        checkDocuments(dataOf(whole.with(index, { ...event, [name]: { ...inner, [field]: value } } as AgentEvent)));
  }
});

test("events that are none are counted, and unknown types are passed on", () => {
  const base = { seq: 1, at: 5, sessionId: "s", runId: "r", severity: "info" };
  const stored = [
    null,
    3,
    "x",
    {},
    { ...base, type: "Later" },
    { ...base, type: "ToolEnd" },
    { ...base, type: "X", at: null },
  ];
  expect(readableEvents(stored)).toEqual({
    events: [
      { ...base, type: "Later" },
      { ...base, type: "X", at: 5 },
    ],
    unreadable: 5,
  });
});
