import { expect, test } from "vitest";
import { dayName, groupByDay } from "./day-groups.ts";
import { runRow } from "./run-rows.fixture.ts";

const now = new Date(2026, 10, 11, 8, 52).getTime();
const at = (day: number, hours: number) => new Date(2026, 10, day, hours).getTime();

test("runs are grouped by the day on which they started, with the sum of each day", () => {
  const runs = [
    runRow({ id: "a", startedAt: at(11, 7), costUsd: 0.5 }),
    runRow({ id: "b", startedAt: at(11, 1), costUsd: 38.2, loopUsd: 37.79 }),
    runRow({ id: "c", startedAt: at(11, 0), costUsd: 2.42 }),
    runRow({ id: "d", startedAt: at(10, 23), costUsd: null }),
    runRow({ id: "e", startedAt: at(9, 12), costUsd: 0.25 }),
  ];
  const groups = groupByDay(runs, now).map((group) => ({ ...group, runs: group.runs.map(({ id }) => id) }));
  expect(groups).toEqual([
    { name: "Today", date: "Wed 11 Nov", runs: ["a"], costUsd: 0.5, loopUsd: 0, unpriced: 0 },
    {
      name: "Last night",
      date: "Wed 11 Nov",
      runs: ["b", "c"],
      costUsd: 40.620000000000005,
      loopUsd: 37.79,
      unpriced: 0,
    },
    { name: "Yesterday", date: "Tue 10 Nov", runs: ["d"], costUsd: 0, loopUsd: 0, unpriced: 1 },
    { name: "Mon 9 Nov", date: "", runs: ["e"], costUsd: 0.25, loopUsd: 0, unpriced: 0 },
  ]);
});

test("during the night, its runs are those of today", () => {
  expect(dayName(at(11, 1), at(11, 3))).toBe("Today");
});

test("a day of another year has its year", () => {
  expect(dayName(new Date(2025, 10, 10, 12).getTime(), now)).toBe("Mon 10 Nov 2025");
});

test("yesterday is the calendar day before, also when the clocks change", () => {
  const afterChange = new Date(2026, 9, 26, 0, 30).getTime();
  expect(dayName(new Date(2026, 9, 25, 0, 10).getTime(), afterChange)).toBe("Yesterday");
});
