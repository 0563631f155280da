import { expect, test } from "vitest";
import { createRunModel, valueAt } from "./run-model.ts";
import { eventBuilder } from "./testing/event-builder.ts";
import { goodRun } from "./testing/good-run.ts";
import { nightRun } from "./testing/night-run.ts";

function modelOf(events: Parameters<ReturnType<typeof createRunModel>["add"]>[0]) {
  const model = createRunModel();
  model.add(events);
  return model;
}

test("a plain run becomes a prompt, calls, a text and an end", () => {
  const model = modelOf(goodRun().events);
  expect(model.items.map(({ type, turn }) => [type, turn])).toEqual([
    ["prompt", 0],
    ["call", 1],
    ["call", 1],
    ["call", 2],
    ["call", 2],
    ["text", 3],
    ["end", 3],
  ]);
  expect(model.calls.map(({ number, kind, text, status }) => [number, kind, text, status])).toEqual([
    [1, "read", "read src/order.ts", "ok"],
    [2, "read", "grep total", "ok"],
    [3, "edit", "edit src/order.ts", "ok"],
    [4, "run", "npm test", "ok"],
  ]);
  expect([model.turns, model.failures, model.isEnded, model.costs.map(({ value }) => value)]).toEqual([
    3,
    0,
    true,
    [0.01, 0.02, 0.03],
  ]);
});

test("the night has its turns, failures, refusals, compactions and limit", () => {
  const model = modelOf(nightRun().events);
  const refused = model.calls.filter(({ refusedBy }) => refusedBy === "guardian").length;
  expect([model.failures, refused, model.compactions > 3, model.limitUsd, model.isEnded]).toEqual([
    215,
    3,
    true,
    40,
    true,
  ]);
});

test("events that come again change nothing", () => {
  const { events } = nightRun();
  const once = modelOf(events);
  const twice = modelOf(events);
  twice.add(events.slice(-500));
  twice.add(events);
  expect([twice.events.length, twice.items.length, twice.failures]).toEqual([
    once.events.length,
    once.items.length,
    once.failures,
  ]);
});

test("the same events give the same model in pages of any size", () => {
  const { events } = nightRun();
  const paged = createRunModel();
  for (let start = 0; start < events.length; start += 7) paged.add(events.slice(start, start + 7));
  expect(paged.items).toEqual(modelOf(events).items);
});

test("an intervention that cuts a reply off stands after its text", () => {
  const run = eventBuilder("run_1", 1_000);
  run.turn(1);
  const intervention = { id: "e1/hint", level: "hint", surplus: 40 } as never; // only these are read
  run.emit({ type: "GuardianIntervention", intervention });
  run.text("It repeats itself.");
  expect(modelOf(run.events).items.map(({ type }) => type)).toEqual(["text", "guardian"]);
});

test("what the user told the agent as an answer is not said twice", () => {
  const run = eventBuilder("run_1", 1_000);
  run.emit({ type: "QuestionAnswered", questionId: "q1", answer: "tell", text: "Use the other table." });
  run.emit({ type: "UserMessage", text: "Use the other table." });
  run.emit({ type: "UserMessage", text: "And hurry." });
  expect(modelOf(run.events).items.map((item) => ("text" in item ? item.text : item.type))).toEqual([
    "Use the other table.",
    "And hurry.",
  ]);
});

test("a refused call is no failure, whatever its result says after it", () => {
  const run = eventBuilder("run_1", 1_000);
  const callId = run.refuse("bash", { command: "rm -r x" }, "Refused.");
  run.emit({ type: "ToolEnd", callId, tool: "bash", status: "error", content: "Refused.", ms: 1 });
  const model = modelOf(run.events);
  expect([model.failures, model.calls.map(({ status, refusedBy }) => [status, refusedBy])]).toEqual([
    0,
    [["blocked", "guardian"]],
  ]);
});

test("a limit that is changed is the limit in force, and 0 removes it", () => {
  const run = eventBuilder("run_1", 1_000);
  run.emit({ type: "RunStarted", prompt: "x", limits: { "run-cost": { stop: 1e9 } } });
  run.emit({ type: "LimitChanged", limit: "run-cost", stop: 5e9 });
  const model = modelOf(run.events);
  expect(model.limitUsd).toBe(5);
  run.emit({ type: "LimitChanged", limit: "run-cost", stop: 0 });
  model.add(run.events);
  expect(model.limitUsd).toBeNull();
});

test("an unknown price is remembered", () => {
  const run = eventBuilder("run_1", 1_000);
  run.emit({ type: "CostEvent", model: "m", costNanoUsd: null, totalNanoUsd: null });
  expect([modelOf(run.events).hasUnknownPrice, modelOf(run.events).costs]).toEqual([true, []]);
});

test("the value of a series at a time is the newest before it", () => {
  const points = [
    { at: 10, value: 1 },
    { at: 20, value: 2 },
  ];
  expect([5, 10, 15, 20, 99].map((at) => valueAt(points, at))).toEqual([null, 1, 1, 2, 2]);
});
