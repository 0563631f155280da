import { expect, test } from "vitest";
import {
  firstIndex,
  limitName,
  measureOf,
  type Sweep,
  savedShare,
  stepEarlier,
  sweepSentence,
  sweepToml,
} from "./sweep-words.ts";

const points: Sweep["points"] = [
  { limit: 3, savedUsd: 141.8, savedCalls: 900, stoppedGood: ["a", "b"] },
  { limit: 4, savedUsd: 140.1, savedCalls: 880, stoppedGood: ["a"] },
  { limit: 5, savedUsd: 140.1, savedCalls: 870, stoppedGood: [] },
];
const sweep: Sweep = { by: "calls", current: 4, points, minRuns: 30, toml: null };
const totals = {
  costUsd: 614,
  stuckUsd: 143.6,
  runs: 412,
  goodRuns: 375,
  calls: 1,
  stuckRuns: 1,
  stuckCalls: 1,
  unpricedRuns: 0,
};

test("the slider begins at the limit in force, or where no good run is stopped", () => {
  expect([firstIndex(sweep), firstIndex({ points, current: 4.6 }), firstIndex({ points, current: null })]).toEqual([
    1, 2, 2,
  ]);
});

test("one step earlier is told with what it saves and what it stops", () => {
  expect([0, 1, 2].map((index) => stepEarlier(points, index, "usd"))).toEqual([
    "This is the earliest setting.",
    "One step earlier saves $1.70 more and stops 1 more good run.",
    "One step earlier saves nothing more and stops 1 more good run.",
  ]);
  expect(stepEarlier(points, 1, "calls")).toBe("One step earlier saves 20 calls more and stops 1 more good run.");
});

test("runs without prices are measured in calls", () => {
  expect(measureOf(points)).toBe("usd");
  expect(measureOf(points.map((point) => ({ ...point, savedUsd: 0 })))).toBe("calls");
});

test("the share is of the loops for equal calls and of all runs otherwise", () => {
  const [point] = points;
  if (point === undefined) throw new Error("expected a point");
  expect(savedShare(point, "calls", totals)).toBe("99 % of what loops cost");
  expect(savedShare(point, "cost", totals)).toBe("23 % of what all runs cost");
  expect(savedShare(point, "calls", { ...totals, stuckUsd: null })).toBeUndefined();
});

test("limits are named with their unit", () => {
  expect([limitName(8, "calls"), limitName(5, "cost"), limitName(1, "turns")]).toEqual([
    "8 equal calls",
    "$5.00 for a run",
    "1 turn",
  ]);
});

test("the sentence says what the chart shows", () => {
  expect(sweepSentence(sweep, "usd")).toBe(
    "With a limit from 3 equal calls to 5 equal calls, what is saved goes from $141.80 to $140.10, " +
      "and the good runs that are stopped go from 2 to 0.",
  );
});

test("TOML has the limit in its place, in cents where the key is in cents", () => {
  expect(sweepToml("[agent]\nmax_turns = {limit}", 40)).toBe("[agent]\nmax_turns = 40");
  expect(sweepToml("[budget]\nper_run_limit_cents = {limit}", 1.5)).toBe("[budget]\nper_run_limit_cents = 150");
});
