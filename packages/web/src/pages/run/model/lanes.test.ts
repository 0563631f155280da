import { expect, test } from "vitest";
import { createAxis } from "./axis.ts";
import { callPaths, curve, episodeBars, wouldHaveEnded } from "./lanes.ts";
import { createRunModel } from "./run-model.ts";
import { eventBuilder } from "./testing/event-builder.ts";
import { nightRun } from "./testing/night-run.ts";

const night = nightRun();
const model = createRunModel();
model.add(night.events);
const [start, end] = [model.startedAt ?? 0, model.lastAt ?? 0];
const bars = (path: string) => path.split("M").length - 1;

test("every call of the night is a bar, and every failure is below the line", () => {
  const axis = createAxis({ domain: { from: start, to: end } });
  const paths = callPaths(model.calls, axis, { base: 40, maxHeight: 34, columns: 4_000, now: end });
  expect([bars(paths.failed), bars(paths.refused)]).toEqual([215, 3]);
});

test("calls of the same pixel are one bar, and their failures stay visible", () => {
  const run = eventBuilder("run_1", 0);
  for (let count = 0; count < 5_000; count += 1)
    run.call({ tool: "bash", input: { command: "x" }, ms: 10, status: count === 2_500 ? "error" : "ok" });
  const many = createRunModel();
  many.add(run.events);
  const axis = createAxis({ domain: { from: 0, to: run.at } });
  const paths = callPaths(many.calls, axis, { base: 40, maxHeight: 34, columns: 200, now: run.at });
  expect([bars(paths.kinds.run), bars(paths.failed)]).toEqual([200, 1]);
  expect(/h(\d+\.?\d*)v/.exec(paths.failed)?.[1]).toBe("0.9");
});

test("a curve has at most a few points a pixel and ends with the newest value", () => {
  const points = Array.from({ length: 10_000 }, (_, at) => ({ at, value: at }));
  const { line } = curve(points, createAxis({ domain: { from: 0, to: 9_999 } }), {
    height: 100,
    max: 9_999,
    columns: 100,
  });
  expect(line.split("L").length).toBeLessThan(320);
  expect(line.endsWith("L1000 0")).toBe(true);
});

test("an episode is only watched after the answer to let it continue", () => {
  const second = episodeBars(night.detail.interventions, model.items, end).slice(1);
  expect(second.map(({ level, isWould }) => [level, isWould])).toEqual([
    ["hint", false],
    ["warn", false],
    ["block", false],
    ["block", true],
    ["halt", true],
    ["block", false],
    ["halt", false],
  ]);
  expect(second.every(({ from, to }, index) => to >= from && (second[index + 1]?.from ?? to) === to)).toBe(true);
});

test("an episode ends where the run recovered from it", () => {
  const [first] = episodeBars(night.detail.interventions, model.items, end);
  const recovered = model.items.find(({ type }) => type === "recovered");
  expect([first?.level, first?.to]).toEqual(["hint", recovered?.at]);
});

test("the run would have been ended at its 8th failure", () => {
  expect(wouldHaveEnded(night.detail.interventions)?.count).toBe(8);
});

test("a stepped curve stays level until the next value", () => {
  const axis = createAxis({ domain: { from: 0, to: 100 } });
  const points = [
    { at: 0, value: 0 },
    { at: 50, value: 5 },
    { at: 100, value: 10 },
  ];
  expect(curve(points, axis, { height: 100, max: 10, columns: 1_000, isStepped: true }).line).toBe(
    "M0 100H500V50H1000V0",
  );
});
