import { expect, test } from "vitest";
import { groupByDay } from "./day-groups.ts";
import { runRow } from "./run-rows.fixture.ts";
import { daySummary, filteredSummary, liveSummary, runsSummary } from "./runs-summary.ts";

const now = new Date(2026, 10, 11, 8, 52).getTime();
const startedAt = new Date(2026, 10, 11, 1).getTime();
const live = [
  runRow({ id: "a", isLive: true, waitsFor: "question" }),
  runRow({ id: "b", isLive: true, waitsFor: "approval" }),
  runRow({ id: "c", isLive: true }),
  runRow({ id: "d", isLive: true }),
];
const [night] = groupByDay(
  [runRow({ id: "e", startedAt, costUsd: 40, loopUsd: 37.79 }), runRow({ id: "f", startedAt, costUsd: 0.62 })],
  now,
);

test("the summary says what is live, what waits, and what the newest day cost", () => {
  expect(runsSummary(live, night)).toBe(
    "4 live, 2 of them wait for you. Last night cost $40.62; $37.79 of it bought nothing.",
  );
  expect(runsSummary([], night)).toBe("Nothing is running. Last night cost $40.62; $37.79 of it bought nothing.");
  expect(runsSummary(live.slice(0, 1), undefined)).toBe("1 live, and it waits for you.");
});

test("the live ones are counted", () => {
  expect(liveSummary(live)).toBe("4 runs, 2 of them wait for you");
  expect(liveSummary(live.slice(1, 3))).toBe("2 runs, 1 of them waits for you");
  expect(liveSummary(live.slice(3))).toBe("1 run");
});

test("a day without prices says so instead of $0.00", () => {
  const [some] = groupByDay(
    [runRow({ id: "a", startedAt, costUsd: 1 }), runRow({ id: "b", startedAt, costUsd: null })],
    now,
  );
  const [none] = groupByDay([runRow({ id: "b", startedAt, costUsd: null })], now);
  expect(some === undefined ? "" : daySummary(some)).toBe("Wed 11 Nov, $1.00, 1 run without a price");
  expect(none === undefined ? "" : daySummary(none)).toBe("Wed 11 Nov, without a price");
});

test("with a filter the summary counts what matches, and does not say that nothing is running", () => {
  expect(filteredSummary(0, false)).toBe("No run matches the filter.");
  expect(filteredSummary(1, false)).toBe("1 run matches the filter.");
  expect(filteredSummary(60, true)).toBe("More than 60 runs match the filter.");
});
