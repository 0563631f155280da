import { expect, test } from "vitest";
import { createAxis, steppedEnd } from "./axis.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const domain = { from: 0, to: 6 * HOUR };

test("the whole run is true to scale, with ticks at full hours", () => {
  const axis = createAxis({ domain });
  expect([axis.x(0), axis.x(3 * HOUR), axis.x(6 * HOUR), axis.time(50), axis.foldedMs]).toEqual([
    0,
    50,
    100,
    3 * HOUR,
    0,
  ]);
  expect(axis.ticks.map(({ at }) => at / HOUR)).toEqual([1, 2, 3, 4, 5]);
});

test("ticks are at full hours of the local clock", () => {
  const axis = createAxis({ domain, offsetMinutes: 330 });
  expect(axis.ticks.map(({ at }) => (at + 330 * MINUTE) % HOUR)).toEqual(axis.ticks.map(() => 0));
});

test("a folded stretch takes little of the width, and the axis says how much is folded", () => {
  const axis = createAxis({ domain, folds: [{ from: HOUR, to: 5 * HOUR }] });
  const [fold] = axis.folds;
  expect([axis.foldedMs, fold?.fromX, fold?.toX]).toEqual([4 * HOUR, 39, 61]);
  expect([axis.x(0), axis.x(6 * HOUR), Math.round(axis.x(3 * HOUR))]).toEqual([0, 100, 50]);
  expect(axis.ticks.every(({ at }) => at <= HOUR || at >= 5 * HOUR)).toBe(true);
});

test("times and places are the reverse of each other on any axis", () => {
  for (const folds of [
    [],
    [
      { from: HOUR, to: 2 * HOUR },
      { from: 3 * HOUR, to: 5 * HOUR },
    ],
    [{ from: -HOUR, to: 9 * HOUR }],
  ]) {
    const axis = createAxis({ domain, folds });
    for (const at of [0, 0.5, 1.5, 2.5, 4, 6]) expect(axis.time(axis.x(at * HOUR))).toBeCloseTo(at * HOUR, 3);
  }
});

test("a short piece beside a fold has a tick of its own", () => {
  const axis = createAxis({ domain, folds: [{ from: 3 * HOUR, to: 5.6 * HOUR }] });
  expect(axis.ticks.some(({ at }) => at > 5.6 * HOUR)).toBe(true);
});

test("an axis of no time is no error", () => {
  const axis = createAxis({ domain: { from: 5, to: 5 } });
  expect([axis.x(5), axis.ticks]).toEqual([0, []]);
});

test("the axis of a live run grows in steps", () => {
  const ends = Array.from({ length: 600 }, (_, second) => steppedEnd(0, second * 1_000));
  expect(new Set(ends).size).toBeLessThan(30);
  expect(ends.every((end, second) => end >= second * 1_000)).toBe(true);
});
