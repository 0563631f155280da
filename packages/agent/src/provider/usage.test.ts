import { expect, test } from "vitest";
import { sumUsage } from "../protocol/usage.ts";
import { type Counted, toUsage } from "./usage.ts";

const counted: Counted = { input: () => 500, output: () => 20 };
const told = (input: unknown, output: unknown, caches: object = {}) => ({
  inputTokens: { total: input, ...caches },
  outputTokens: { total: output },
});

test("what a provider tells is taken as it is", () => {
  expect(toUsage(told(127, 17, { noCache: 20, cacheRead: 100, cacheWrite: 7 }), counted)).toEqual({
    input: 127,
    cacheRead: 100,
    cacheWrite: 7,
    output: 17,
    isEstimated: false,
  });
});

test.each([undefined, null, "nonsense", {}, { inputTokens: null }, { inputTokens: 5, outputTokens: 7 }])(
  "no figures (%j) are counted here and flagged",
  (nothing) => {
    expect(toUsage(nothing, counted)).toEqual({
      input: 500,
      cacheRead: 0,
      cacheWrite: 0,
      output: 20,
      isEstimated: true,
    });
  },
);

test.each([Number.NaN, -1, "127", 1e18, Number.POSITIVE_INFINITY, null, undefined, 0])(
  "%j tokens cannot be, and are counted here",
  (figure) => {
    expect(toUsage(told(figure, 17), counted)).toEqual({
      input: 500,
      cacheRead: 0,
      cacheWrite: 0,
      output: 17,
      isEstimated: true,
    });
    expect(toUsage(told(127, figure), counted)).toEqual({
      input: 127,
      cacheRead: 0,
      cacheWrite: 0,
      output: 20,
      isEstimated: true,
    });
  },
);

test("no output is believed where nothing was said", () => {
  expect(toUsage(told(127, 0), { input: () => 500, output: () => 0 })).toMatchObject({ output: 0, isEstimated: false });
});

test("caches larger than the whole, or absurd ones, are flagged", () => {
  expect(toUsage(told(10, 17, { cacheRead: 100 }), counted)).toEqual({
    input: 500,
    cacheRead: 100,
    cacheWrite: 0,
    output: 17,
    isEstimated: true,
  });
  expect(toUsage(told(10, 17, { cacheRead: -5 }), counted)).toEqual({
    input: 10,
    cacheRead: 0,
    cacheWrite: 0,
    output: 17,
    isEstimated: true,
  });
});

test("one estimate makes the sum one", () => {
  const sure = toUsage(told(10, 1), counted);
  expect(sumUsage(sure, toUsage(undefined, counted))).toEqual({
    input: 510,
    cacheRead: 0,
    cacheWrite: 0,
    output: 21,
    isEstimated: true,
  });
  expect(sumUsage(sure, sure).isEstimated).toBe(false);
});
