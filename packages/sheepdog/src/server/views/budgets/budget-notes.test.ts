import { expect, test } from "vitest";
import { dayNote, monthNote, runNote } from "./budget-notes.ts";

const day = 86_400_000;
/** Noon of 11 November, UTC. */
const now = Date.UTC(2026, 10, 11, 12);

test("the rate of the last hour says when the limit of a day is reached", () => {
  const at = (hours: number) => {
    const date = new Date(now + hours * 3_600_000);
    return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
  };
  const note = (spentUsd: number, limitUsd: number | null, lastHourUsd: number) =>
    dayNote({ now, spentUsd, limitUsd, lastHourUsd });
  expect(note(50, 60, 5)).toBe(`At the rate of the last hour, the limit is reached at ${at(2)}.`);
  expect(note(50, 60, 0.5)).toBe("At the rate of the last hour, the limit is not reached today.");
  expect(note(50, 60, 0)).toBe("Nothing was spent in the last hour.");
  expect(note(60, 60, 5)).toContain("The limit is reached");
  expect(note(60, null, 5)).toBe("No limit of a day is set. The last hour cost $5.00.");
});

test("the average of the last seven days says what the month costs in the end", () => {
  const facts = { now, spentUsd: 115, loopUsd: 0, lastWeekUsd: 70, lastWeekLoopUsd: 0, firstCostAt: now - 20 * day };
  // 19.5 days are left, at 10 dollars a day.
  expect(monthNote(facts)).toBe("On course for $310, at the average of the last 7 days.");
  expect(monthNote({ ...facts, loopUsd: 40, lastWeekLoopUsd: 35 })).toBe(
    "On course for $310, at the average of the last 7 days. Without loops: $173.",
  );
  expect(monthNote({ ...facts, spentUsd: 2, lastWeekUsd: 2, firstCostAt: now - 3_600_000 })).toBe(
    "On course for $41, at the average of the last day.",
  );
  expect(monthNote({ ...facts, lastWeekUsd: 0 })).toBe("Nothing was spent in the last 7 days.");
});

test("most runs say what is usual", () => {
  const costs = Array.from({ length: 20 }, (_, index) => (index + 1) / 10);
  expect(runNote(costs, 2)).toBe("9 of 10 runs cost $1.80 or less. 2 ended at their limit.");
  expect(runNote(costs, 1)).toBe("9 of 10 runs cost $1.80 or less. 1 ended at its limit.");
  expect(runNote([0.5, 2], 0)).toBe("The dearest of 2 runs cost $2.00.");
  expect(runNote([0.5], 0)).toBe("The only run cost $0.50.");
  expect(runNote([], 0)).toBe("No run has ended in this time.");
});
