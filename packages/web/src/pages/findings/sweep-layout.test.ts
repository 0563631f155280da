import { expect, test } from "vitest";
import { sweepLayout } from "./sweep-layout.ts";
import type { SweepPoint } from "./sweep-words.ts";

const points = (saved: readonly number[], stopped: readonly number[]): readonly SweepPoint[] =>
  saved.map((savedUsd, index) => ({
    limit: index + 3,
    savedUsd,
    savedCalls: 0,
    stoppedGood: Array.from({ length: stopped[index] ?? 0 }, (_, run) => `run_${run}`),
  }));

test("points stand in the middle of equal columns, the line above the bars", () => {
  const { columns, scale } = sweepLayout(points([100, 80, 60, 40], [10, 5, 0, 0]), "usd");
  expect(scale.max).toBe(100);
  expect(columns).toEqual([
    { x: 12.5, savedY: 0, barTop: 50, stopped: 10 },
    { x: 37.5, savedY: 20, barTop: 75, stopped: 5 },
    { x: 62.5, savedY: 40, barTop: 100, stopped: 0 },
    { x: 87.5, savedY: 60, barTop: 100, stopped: 0 },
  ]);
});

test("a single good run does not look like many", () => {
  expect(sweepLayout(points([100, 80], [1, 0]), "usd").columns[0]?.barTop).toBe(90);
});

test("the name of the bars stands above the first one, or right of the last one if the line is in the way", () => {
  const place = (saved: readonly number[]) => sweepLayout(points(saved, [10, 5, 0, 0, 0]), "usd").stoppedName;
  expect(place([100, 95, 90, 85, 80])).toMatchObject({ x: 8.4, y: 50, isAboveBar: true });
  expect(place([100, 50, 40, 30, 20])).toMatchObject({ x: 48.4, y: 100, isAboveBar: false });
  expect(sweepLayout(points([100, 50], [0, 0]), "usd").stoppedName).toBeUndefined();
});
