import { expect, test } from "vitest";
import { lookBackOf, lookedAt } from "../../test/look-back-runs.ts";
import { stuckRun } from "../../test/recordings.ts";
import { type Grouping, type GroupOrder, groupsBy } from "./groups.ts";

function runOn(...days: readonly number[]) {
  const steps = days.map((day, turn) => ({
    turn,
    text: "Done.",
    at: new Date(2026, 10, day, 12).getTime(),
    usage: { costUsd: 1 },
    calls: [],
  }));
  return lookedAt(JSON.stringify({ id: "a", source: "codex", model: "m", steps }));
}

test("a week is named by its Monday, a month by its number", () => {
  const names = (by: Grouping) =>
    groupsBy(lookBackOf([runOn(1, 2, 8, 9, 9, 9)]), by).map(({ name, nanoUsd }) => [name, nanoUsd / 1e9]);
  expect([names("week"), names("month")]).toEqual([
    [
      ["2026-11-09", 3],
      ["2026-11-02", 2],
      ["2026-10-26", 1],
    ],
    [["2026-11", 6]],
  ]);
});

test("groups are ordered by what went in circles, or by what was spent", () => {
  const lookBack = lookBackOf([runOn(1, 2, 3), lookedAt(stuckRun("stuck", 9))]);
  const names = (order: GroupOrder) => groupsBy(lookBack, "agent", order).map(({ name }) => name);
  expect([names("circles"), names("spent")]).toEqual([
    ["test", "codex"],
    ["codex", "test"],
  ]);
});
