import { expect, test } from "vitest";
import { clock, duration, longDate, needsSeconds, runningTime, shortDate, startOfDay } from "./times.ts";

test("a time that is no date has a dash, and nothing throws", () => {
  for (const at of [1.8e18, -1e300, Number.NaN, Number.POSITIVE_INFINITY])
    expect([clock(at), clock(at, true), shortDate(at), longDate(at), startOfDay(at)]).toEqual([
      ...["–", "–", "–", "–"],
      Number.NaN,
    ]);
  expect([duration(Number.NaN), duration(Number.POSITIVE_INFINITY)]).toEqual(["–", "–"]);
});

test("dates and times of the local calendar", () => {
  const at = new Date(2026, 10, 11, 6, 40, 32).getTime();
  expect([clock(at), clock(at, true), shortDate(at), longDate(at)]).toEqual([
    "06:40",
    "06:40:32",
    "Wed 11 Nov",
    "Wednesday 11 November",
  ]);
});

test("a running time changes each second in its first hour", () => {
  expect([400, 42_900, 60_000, 247_000, 4_320_000].map(runningTime)).toEqual([
    "0 ms",
    "42 s",
    "1 min 00 s",
    "4 min 07 s",
    "1 h 12 min",
  ]);
});

test("the clock of a short run has seconds", () => {
  expect([needsSeconds(40_000), needsSeconds(3_600_000)]).toEqual([true, false]);
});
