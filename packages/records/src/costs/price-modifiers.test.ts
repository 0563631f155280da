import { expect, test } from "vitest";
import { priceModifiers } from "./price-modifiers.ts";

test("an ordinary request has no modifiers", () => {
  expect(priceModifiers("claude-opus-4-6", {})).toEqual({ percent: 100, feesNanoUsd: 0, isIncomplete: false });
});

test("fast mode multiplies all prices of a model, and only those that are published", () => {
  const percents = [
    "claude-opus-4-6",
    "claude-opus-4.7",
    "claude-opus-4-8",
    "anthropic/claude-opus-5",
    "claude-opus-5-5",
  ];
  expect(percents.map((model) => priceModifiers(model, { isFast: true }).percent)).toEqual([600, 600, 200, 200, 200]);
  expect(priceModifiers("claude-sonnet-4-6", { isFast: true })).toMatchObject({ percent: 100, isIncomplete: true });
});

test("modes multiply each other, and searches are paid by the piece", () => {
  const usage = { isFast: true, isUsOnly: true, serviceTier: "batch", webSearches: 3 } as const;
  expect(priceModifiers("claude-opus-4-6", usage)).toEqual({
    percent: 330,
    feesNanoUsd: 30_000_000,
    isIncomplete: false,
  });
});

test("a priority tier has no list price", () => {
  expect(priceModifiers("claude-opus-4-6", { serviceTier: "priority" }).isIncomplete).toBe(true);
});
