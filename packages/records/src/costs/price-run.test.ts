import { expect, test } from "vitest";
import { run } from "../../test/builders.ts";
import { createPrices } from "../pricing/prices.ts";
import type { RecordedUsage } from "../trajectory/recorded-run.ts";
import { priceRun } from "./price-run.ts";

const at = Date.UTC(2026, 10, 2);
const tokens = { inputTokens: 1_000_000, outputTokens: 100_000 };

async function priced(model: string, ...usages: readonly RecordedUsage[]) {
  const steps = usages.map((usage) => ({ text: "", at, usage, calls: [] }));
  const { steps: all, counting } = priceRun(run(steps, { model }), await createPrices(), at);
  return { usd: all.map(({ usage }) => usage?.costUsd), counting };
}

test("fast requests, web searches and batches have their published prices", async () => {
  const usages = [{}, { isFast: true }, { webSearches: 3 }, { serviceTier: "batch" }] as const;
  const all = await priced("claude-opus-4-6", ...usages.map((more) => ({ ...tokens, ...more })));
  expect(all).toEqual({ usd: [7.5, 45, 7.53, 3.75], counting: undefined });
});

test("what has no published price is priced as an ordinary request and counted", async () => {
  const modes = [{ isFast: true }, { serviceTier: "priority" }] as const;
  const all = await priced("claude-haiku-4-5", ...modes.map((more) => ({ ...tokens, ...more })));
  expect(all).toEqual({ usd: [1.5, 1.5], counting: { pricedAsOrdinary: 2 } });
});

test("the sum of several requests has the price of small ones, and is counted where large ones cost more", async () => {
  expect((await priced("claude-sonnet-4-5", tokens, { ...tokens, isSum: true })).usd).toEqual([8.25, 4.5]);
  expect((await priced("claude-sonnet-4-5", { ...tokens, isSum: true })).counting).toEqual({ pricedAsSmall: 1 });
  expect((await priced("claude-haiku-4-5", { ...tokens, isSum: true })).counting).toBeUndefined();
});

test("fractions of tokens have no price", async () => {
  expect((await priced("claude-opus-4-6", { ...tokens, inputTokens: 10.5 })).usd).toEqual([undefined]);
});

test("a recorded cost stays, and an unknown model has none", async () => {
  expect((await priced("claude-opus-4-6", { ...tokens, isFast: true, costUsd: 1 })).usd).toEqual([1]);
  expect((await priced("gpt-unknown-99", tokens)).usd).toEqual([undefined]);
});
