import { expect, test } from "vitest";
import { axisWidth, scaleTo, shareOf, usdTick } from "./scale.ts";

test("a scale ends on the round value above the highest one", () => {
  expect(scaleTo(142)).toEqual({ max: 150, step: 50, ticks: [0, 50, 100, 150] });
  expect(scaleTo(0.31)).toEqual({ max: 0.4, step: 0.1, ticks: [0, 0.1, 0.2, 0.3, 0.4] });
  expect(scaleTo(200)).toEqual({ max: 200, step: 50, ticks: [0, 50, 100, 150, 200] });
});

test("headroom leaves space above the highest value", () => {
  expect(scaleTo(60, { count: 3, headroom: 0.1 })).toEqual({ max: 66, step: 20, ticks: [0, 20, 40, 60] });
});

test("ticks of things that are counted are whole", () => {
  expect(scaleTo(2, { minStep: 1 })).toEqual({ max: 2, step: 1, ticks: [0, 1, 2] });
  expect(scaleTo(9, { minStep: 1 })).toEqual({ max: 10, step: 5, ticks: [0, 5, 10] });
});

test("a scale without values goes to 1", () => {
  expect(scaleTo(0).max).toBe(1);
  expect(scaleTo(Number.NaN).max).toBe(1);
});

test("values outside the scale stand at its ends", () => {
  const scale = scaleTo(100);
  expect([-5, 0, 25, 100, 900].map((value) => shareOf(scale, value))).toEqual([0, 0, 25, 100, 100]);
});

test("ticks below a dollar have as many digits as they need", () => {
  expect([usdTick(20, 20), usdTick(1_500, 500), usdTick(0.5, 0.5), usdTick(2.5, 2.5)]).toEqual([
    "$20",
    "$1,500",
    "$0.50",
    "$2.50",
  ]);
  expect([usdTick(0.25, 0.25), usdTick(0.004, 0.002), usdTick(0.0025, 0.0025)]).toEqual(["$0.25", "$0.004", "$0.0025"]);
});

test("the axis is as wide as its longest label needs", () => {
  expect([axisWidth([]), axisWidth(["$0", "$60"]), axisWidth(["$0.0025"])]).toEqual(["46px", "46px", "62px"]);
});
