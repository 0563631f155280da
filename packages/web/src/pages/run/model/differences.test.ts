import { expect, test } from "vitest";
import { columnsOf, differencesOf } from "./differences.ts";
import { createRunModel } from "./run-model.ts";
import { eventBuilder } from "./testing/event-builder.ts";
import { nightRun } from "./testing/night-run.ts";

test("of many occurrences the first, the fourth, the middle and the last are compared", () => {
  expect([columnsOf(212), columnsOf(5), columnsOf(3), columnsOf(0)]).toEqual([
    [0, 3, 106, 211],
    [0, 2, 3, 4],
    [0, 1, 2],
    [],
  ]);
});

test("the night differs in its times and process ids, and in nothing else", () => {
  const model = createRunModel();
  model.add(nightRun().events);
  const { rows } = differencesOf(model.calls.filter(({ text, isFailed }) => text === "npm run migrate" && isFailed));
  expect(rows.map((row) => ("same" in row ? [row.name, row.same] : row.name))).toEqual([
    "started",
    "process id",
    "took",
    ["rows left", "1,184 in all 212"],
    ["command, outcome, error", "the same in all 212"],
  ]);
});

test("arguments that differ are rows with their values", () => {
  const run = eventBuilder("run_1", new Date("2026-11-11T10:00:00").getTime());
  for (const query of ["select 1", "select 2"])
    run.call({ tool: "query", input: { query, limit: 5 }, status: "error", content: "syntax error", ms: 1_000 });
  const model = createRunModel();
  model.add(run.events);
  expect(differencesOf(model.calls)).toEqual({
    columns: [0, 1],
    rows: [
      { name: "started", values: ["10:00:00", "10:00:01"] },
      { name: "query", values: ["select 1", "select 2"] },
      { name: "limit, outcome, error, output", same: "the same in all 2" },
    ],
  });
});

test("outputs of different shapes are one row", () => {
  const run = eventBuilder("run_1", 0);
  run.call({ tool: "bash", input: { command: "make" }, content: "a\nb" });
  run.call({ tool: "bash", input: { command: "make" }, content: "a\nb\nc failed" });
  const model = createRunModel();
  model.add(run.events);
  expect(differencesOf(model.calls).rows).toContainEqual({
    name: "output",
    values: ['2 lines, "b"', '3 lines, "c failed"'],
  });
});
