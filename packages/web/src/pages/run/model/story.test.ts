import { expect, test } from "vitest";
import { createRunModel } from "./run-model.ts";
import { buildStory, type Row } from "./story.ts";
import { eventBuilder } from "./testing/event-builder.ts";
import { goodRun } from "./testing/good-run.ts";
import { nightRun } from "./testing/night-run.ts";

function storyOf(events: Parameters<ReturnType<typeof createRunModel>["add"]>[0], detail = goodRun().detail) {
  const model = createRunModel();
  model.add(events);
  return buildStory(model.items, detail.interventions);
}

function told(row: Row): string {
  if (row.type === "item") return row.item.type === "call" ? row.item.call.text : row.item.type;
  if (row.type === "fold") return `${row.calls[0]?.text} ×${row.calls.length}`;
  return row.type === "look" ? `look ×${row.calls.length}` : `notes ×${row.notes.length}`;
}

test("a plain run is a prompt, looks, an edit, a command, a text and an end", () => {
  expect(storyOf(goodRun().events).rows.map(told)).toEqual([
    "prompt",
    "look ×2",
    "edit src/order.ts",
    "npm test",
    "text",
    "end",
  ]);
});

test("the night folds 212 calls into one row with the steps of the guardian", () => {
  const { events, detail } = nightRun();
  const { rows } = storyOf(events, detail);
  const fold = rows.find((row) => row.type === "fold" && row.calls.length === 212);
  expect(rows.filter(({ type }) => type === "fold").map(told)).toEqual([
    "npm test -- orders ×3",
    "npm run migrate ×212",
    "npm run migrate ×3",
  ]);
  expect(
    fold?.type === "fold" && fold.steps.map((step) => (step.type === "guardian" ? step.intervention.level : step.type)),
  ).toEqual(["hint", "warn", "block", "answer", "halt", "warn", "block"]);
  expect(fold?.type === "fold" && fold.between.map(({ text, count, isSame }) => [text, count, isSame])).toEqual([
    ["The backfill may simply need another pass.", 203, true],
    ["read migrations/0042_add_tenant_id.sql", 82, true],
    ['psql -c "select count(*) from orders where tenant_id is null"', 80, true],
    ["edit migrations/0042_add_tenant_id.sql", 41, false],
  ]);
});

test("an episode that the run recovered from says so", () => {
  const { events, detail } = nightRun();
  const row = storyOf(events, detail).rows.find((each) => each.type === "fold" && each.calls.length === 3);
  expect(row?.type === "fold" && row.isRecovered).toBe(true);
});

test("a call that succeeds after the run recovered is no part of the fold", () => {
  const run = eventBuilder("run_1", 1_000);
  const { detail } = goodRun();
  const command = { tool: "bash", input: { command: "npm test" } };
  const callIds = [1, 2, 3].map(() => run.call({ ...command, status: "error" }));
  run.call({ tool: "edit", input: { path: "a" } });
  run.emit({ type: "GuardianRecovered", episode: "e1" });
  run.call(command);
  const view = {
    ...nightRun().detail.interventions[0],
    episode: "e1",
    callIds,
  } as (typeof detail.interventions)[number];
  const { rows } = storyOf(run.events, { ...detail, interventions: [view] });
  expect(rows.map(told)).toEqual(["npm test ×3", "edit a", "npm test"]);
});

test("the halt that ended the run is part of its end", () => {
  const { events, detail } = nightRun();
  const { rows, rowOf } = storyOf(events, detail);
  const halt = detail.interventions.at(-1);
  expect([told(rows[rowOf(halt?.seq ?? 0)] as Row), rows.filter((row) => told(row) === "guardian")]).toEqual([
    "end",
    [],
  ]);
});

test("every event is found in a row, also those without one of their own", () => {
  const { events, detail } = nightRun();
  const { rows, rowOf } = storyOf(events, detail);
  const found = events.map(({ seq }) => rowOf(seq));
  expect(found.every((index) => index >= 0 && index < rows.length)).toBe(true);
  const call = events.find((event) => event.type === "ToolEnd" && event.callId === "call_150");
  expect(told(rows[rowOf(call?.seq ?? 0)] as Row)).toBe("npm run migrate ×212");
});

test("equal calls without the guardian are folded from three on, unless a file changed in between", () => {
  const run = eventBuilder("run_1", 1_000);
  for (let count = 0; count < 4; count += 1) run.call({ tool: "bash", input: { command: "make" }, status: "error" });
  for (let count = 0; count < 3; count += 1) {
    run.call({ tool: "bash", input: { command: "npm test" }, status: "error" });
    run.call({ tool: "edit", input: { path: `a${count}` } });
  }
  expect(storyOf(run.events).rows.map(told)).toEqual([
    "make ×4",
    "npm test",
    "edit a0",
    "npm test",
    "edit a1",
    "npm test",
    "edit a2",
  ]);
});

test("short texts between looks belong to them, longer ones stand alone", () => {
  const run = eventBuilder("run_1", 1_000);
  run.call({ tool: "read", input: { path: "a" } });
  run.text("Now the other one.");
  run.call({ tool: "read", input: { path: "b" } });
  run.text("x".repeat(500));
  run.call({ tool: "read", input: { path: "c" } });
  expect(storyOf(run.events).rows.map(told)).toEqual(["look ×2", "text", "read c"]);
});

test("the judge without a verdict and repeated looks do not interrupt a look around", () => {
  const run = eventBuilder("run_1", 1_000);
  for (let count = 0; count < 4; count += 1) {
    run.call({ tool: "read", input: { path: "package.json" } });
    run.emit({ type: "JudgeVerdict", verdict: "continue" });
  }
  run.emit({ type: "JudgeVerdict", verdict: "retry", reason: "Not yet." });
  expect(storyOf(run.events).rows.map(told)).toEqual(["look ×4", "verdict"]);
});

test("notes about the same topic are one row", () => {
  const run = eventBuilder("run_1", 1_000);
  for (let attempt = 2; attempt < 5; attempt += 1)
    run.emit({
      ...{ type: "ProviderRetry", attempt, waitMs: 1_000, waitingFor: "overloaded" as never, since: 0 },
      ...{ problem: "The server is overloaded.", model: "m" },
    });
  expect(storyOf(run.events).rows.map(told)).toEqual(["notes ×3"]);
});

test("a new prompt ends a fold", () => {
  const run = eventBuilder("run_1", 1_000);
  const again = () => run.call({ tool: "bash", input: { command: "make" }, status: "error" });
  for (let count = 0; count < 3; count += 1) again();
  run.emit({ type: "RunStarted", prompt: "Continue.", isResumed: true });
  for (let count = 0; count < 3; count += 1) again();
  expect(storyOf(run.events).rows.map(told)).toEqual(["make ×3", "prompt", "make ×3"]);
});

test("rows keep their keys when the story grows", () => {
  const { events, detail } = nightRun();
  const part = storyOf(events.slice(0, 110), detail).rows.map(({ key }) => key);
  const all = storyOf(events, detail).rows.map(({ key }) => key);
  const settled = part.length - 2; // the newest rows may become part of a fold
  expect(all.slice(0, settled)).toEqual(part.slice(0, settled));
});
