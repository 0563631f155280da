import { expect, test } from "vitest";
import { sumUsage } from "../protocol/usage.ts";
import { type EstimatedTokens, toUsage } from "./usage.ts";

const estimated: EstimatedTokens = { input: 500, output: () => 20, maxOutput: 100 };
const reported = (input: unknown, output: unknown, caches: object = {}) => ({
  inputTokens: { total: input, ...caches },
  outputTokens: { total: output },
});

test("plausible figures of a provider are used unchanged", () => {
  expect(toUsage(reported(127, 17, { noCache: 20, cacheRead: 100, cacheWrite: 7 }), estimated)).toEqual({
    input: 127,
    cacheRead: 100,
    cacheWrite: 7,
    output: 17,
    isEstimated: false,
  });
});

test.each([undefined, null, "nonsense", {}, { inputTokens: null }, { inputTokens: 5, outputTokens: 7 }])(
  "missing figures (%j) are estimated and flagged",
  (nothing) => {
    expect(toUsage(nothing, estimated)).toEqual({
      input: 500,
      cacheRead: 0,
      cacheWrite: 0,
      output: 20,
      isEstimated: true,
    });
  },
);

test.each([Number.NaN, -1, "127", 1e18, Number.POSITIVE_INFINITY, null, undefined, 0])(
  "%j tokens are not plausible, and are estimated",
  (figure) => {
    expect(toUsage(reported(figure, 17), estimated)).toEqual({
      input: 500,
      cacheRead: 0,
      cacheWrite: 0,
      output: 17,
      isEstimated: true,
    });
    expect(toUsage(reported(127, figure), estimated)).toEqual({
      input: 127,
      cacheRead: 0,
      cacheWrite: 0,
      output: 20,
      isEstimated: true,
    });
  },
);

test("zero output is accepted if nothing was generated", () => {
  expect(toUsage(reported(127, 0), { input: 500, output: () => 0, maxOutput: 100 })).toMatchObject({
    output: 0,
    isEstimated: false,
  });
});

test("cached tokens above the total, or negative, are flagged", () => {
  expect(toUsage(reported(10, 17, { cacheRead: 100 }), estimated)).toEqual({
    input: 500,
    cacheRead: 100,
    cacheWrite: 0,
    output: 17,
    isEstimated: true,
  });
  expect(toUsage(reported(10, 17, { cacheRead: -5 }), estimated)).toEqual({
    input: 10,
    cacheRead: 0,
    cacheWrite: 0,
    output: 17,
    isEstimated: true,
  });
});

test("the sum with an estimate is an estimate", () => {
  const exact = toUsage(reported(10, 1), estimated);
  expect(sumUsage(exact, toUsage(undefined, estimated))).toEqual({
    input: 510,
    cacheRead: 0,
    cacheWrite: 0,
    output: 21,
    isEstimated: true,
  });
  expect(sumUsage(exact, exact).isEstimated).toBe(false);
});

test("an input that is too small for any text is replaced by our own count, and flagged", () => {
  expect(toUsage(reported(1, 17), { input: 25_000, output: () => 17, maxOutput: 100 })).toMatchObject({
    input: 25_000,
    output: 17,
    isEstimated: true,
  });
});

test.each([
  ["lines of dashes", 1_500, 22_000],
  ["padded tables", 1_500, 9_600],
  ["spaces", 750, 24_000],
])("a small input that is possible is never raised: %s", (_, input, ownCount) => {
  expect(toUsage(reported(input, 17), { input: ownCount, output: () => 17, maxOutput: 100 })).toMatchObject({
    input,
    isEstimated: false,
  });
});

test.each([
  ["input", reported(9e8, 17), { input: 54_000, output: 17 }],
  ["a prompt that a gateway adds", reported(60_000, 17), { input: 54_000, output: 17 }],
  ["output", reported(127, 9e8), { input: 127, output: 1_400 }],
  ["both", reported(9e8, 9e8), { input: 54_000, output: 1_400 }],
  ["a cache", reported(127, 17, { cacheRead: 9e8 }), { input: 127, cacheRead: 0, output: 17 }],
  ["an input and its cache", reported(9e8, 17, { cacheWrite: 9e8 }), { input: 54_000, cacheWrite: 0, output: 17 }],
])("43 more tokens than the bytes can have count as the most that is possible: %s", (_, figures, tokens) => {
  expect(toUsage(figures, estimated)).toMatchObject({ ...tokens, isEstimated: true });
});

test.each([
  ["instructions that the provider adds", reported(20_000, 17), { input: 20_000 }],
  ["rare characters, with four tokens for each estimated one", reported(400_000, 17), { input: 400_000 }],
  ["thinking that is not shown", reported(127, 300), { output: 300 }],
  ["a server that ignores the limit", reported(127, 1_400), { output: 1_400 }],
])("43 unusual figures are believed: %s", (_, figures, tokens) => {
  const own = { input: 100_000, output: () => 20, maxOutput: 100 };
  expect(toUsage(figures, figures.inputTokens.total === 400_000 ? own : estimated)).toMatchObject({
    ...tokens,
    isEstimated: false,
  });
});

test("our own count of a reply is never above the limit that was sent with the request", () => {
  const long: EstimatedTokens = { ...estimated, output: () => 1_250_000 };
  expect(toUsage(undefined, long)).toMatchObject({ output: 100, isEstimated: true });
  expect(toUsage(reported(127, 17), long)).toMatchObject({ output: 17, isEstimated: false });
});
