import { expect, test } from "vitest";
import { type Limit, limitAmount, raiseTarget, suggestedRaise } from "./limit-words.ts";

const limit: Limit = {
  scope: "day",
  name: "Day",
  stop: 60,
  warn: 48,
  unit: "usd",
  spent: 43.23,
  origin: "your configuration",
  runId: null,
  canRaise: true,
};

test("amounts are written in the unit of the limit", () => {
  expect([
    limitAmount(60, "usd"),
    limitAmount(2_100_000, "tokens"),
    limitAmount(1_500, "turns"),
    limitAmount(600, "seconds"),
    limitAmount(80, "percent"),
    limitAmount(null, "usd"),
  ]).toEqual(["$60.00", "2.1 M", "1,500", "10 min", "80 %", "–"]);
});

test("a configured limit of money is raised in the configuration, one of a live run at the run", () => {
  expect(raiseTarget(limit)).toEqual({ type: "budget", scope: "day" });
  expect(raiseTarget({ ...limit, scope: "run", runId: "run_1" })).toEqual({
    type: "run",
    runId: "run_1",
    limit: "run-cost",
  });
  expect(raiseTarget({ ...limit, scope: "time", unit: "seconds", runId: "run_1" })).toMatchObject({ limit: "time" });
});

test("limits without money are configured in their file", () => {
  expect(raiseTarget({ ...limit, scope: "turns", unit: "turns" })).toBeUndefined();
  expect(raiseTarget({ ...limit, canRaise: false })).toBeUndefined();
});

test("a raised limit begins with a round value", () => {
  expect([5, 60, 400, 0.25, 500, 0].map(suggestedRaise)).toEqual([8, 100, 600, 0.4, 800, 1]);
});
