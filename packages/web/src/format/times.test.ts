import { expect, test } from "vitest";
import { needsSeconds, runningTime } from "./times.ts";

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
