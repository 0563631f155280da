import { expect, test } from "vitest";
import type { Group } from "../../../../look-back/groups.ts";
import { chooseMeasure } from "../measure.ts";
import { dayColumns } from "./day-columns.ts";

const measure = chooseMeasure(null);

function columnsOf(days: Readonly<Record<string, number>>) {
  const groups = Object.entries(days).map(([name, calls]) => ({ name, calls, stuckCalls: 0 }) as Group); // all it reads
  return dayColumns(groups, measure);
}

test("many empty weeks are one column, and the years are named", () => {
  const { columns, areWeeks, leftOut } = columnsOf({ "2024-04-01": 2, "2026-10-26": 3, "2026-11-02": 5 });
  expect([areWeeks, leftOut]).toEqual([true, 133]);
  expect(columns.map(({ name, label, all }) => [name, label, all])).toEqual([
    ["1 Apr 2024 to 7 Apr 2024", "1 Apr 2024", 2],
    ["8 Apr 2024 to 25 Oct 2026", "…", 0],
    ["26 Oct 2026 to 1 Nov 2026", "26 Oct 2026", 3],
    ["2 Nov 2026 to 8 Nov 2026", "2 Nov 2026", 5],
  ]);
});

test("days of a month are all shown, also those on which nothing was done", () => {
  const { columns, areWeeks, leftOut } = columnsOf({ "2026-11-01": 2, "2026-11-30": 1 });
  expect([areWeeks, leftOut, columns.length, columns[0]?.label, columns.at(-1)?.name]).toEqual([
    ...[false, 0, 30, "1 Nov"],
    "30 Nov",
  ]);
});

test("labels with a year are longer, and fewer", () => {
  const days = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, week) => [
        new Date(Date.UTC(2026, 2, 2) + week * 7 * 86_400_000).toISOString().slice(0, 10),
        1,
      ]),
    );
  const labelsOf = (count: number) => columnsOf(days(count)).columns.flatMap(({ label }) => label ?? []);
  expect([labelsOf(40).length, labelsOf(40)[1]]).toEqual([10, "30 Mar"]);
  expect([labelsOf(60).length, labelsOf(60)[1]]).toEqual([7, "4 May 2026"]);
});
