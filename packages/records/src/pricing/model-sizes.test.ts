import { expect, test } from "vitest";
import { listedModels } from "./listed-models.ts";
import { modelSize } from "./model-sizes.ts";
import { loadPriceList } from "./price-list.ts";
import { createPrices } from "./prices.ts";

test.each([
  ["claude-sonnet-4-5-20250929", 200_000, 64_000],
  ["anthropic/claude-sonnet-4.5", 200_000, 64_000],
  ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", 200_000, 64_000],
  ["claude-sonnet-4-20250514", 200_000, 64_000],
  ["claude-opus-4-1-20250805", 200_000, 32_000],
  ["claude-sonnet-5", 1_000_000, 128_000],
  ["gpt-4o-mini-2024-07-18", 128_000, 16_384],
  ["gpt-6-sol", 1_050_000, 128_000],
  ["openai/gpt-5.4-mini", 400_000, 128_000],
  ["gpt-5-2025-08-07", 400_000, 128_000],
  ["models/gemini-2.5-pro", 1_000_000, 65_536],
  ["gemini-3.8-flash", 1_000_000, 65_536],
  ["o1-2024-12-17", 200_000, 100_000],
  ["o1-mini-2024-09-12", 128_000, 65_536],
  ["o1-preview", 128_000, 32_768],
  ["o3-mini", 200_000, 100_000],
  ["gpt-5-chat-latest", 128_000, 16_384],
  ["gpt-5.2-chat-latest", 128_000, 16_384],
  ["gpt-5-mini", 400_000, 128_000],
  ["gpt-4.1-nano", 1_000_000, 32_768],
  ["gpt-4-32k-0613", 32_000, 4_096],
  ["gpt-4-1106-preview", 128_000, 4_096],
  ["gpt-4o-2024-05-13", 128_000, 4_096],
  ["claude-sonnet-4-0", 200_000, 64_000],
  ["claude-3-sonnet-20240229", 200_000, 4_096],
  ["gemini-2.5-flash-lite", 1_000_000, 65_536],
])("%s reads %i tokens and writes %i", (id, window, output) => {
  expect(modelSize(id)).toEqual({ window, output });
});

test.each([
  "claude-sonnet-9",
  "claude-opus-4-9",
  "gpt-5.9",
  "proto3",
  "turbo1-large",
  "llama3.2",
  "",
  "gpt-4o-realtime-preview",
  "gemini-2.5-flash-preview-tts",
])("%s is not listed, and a later version is not taken for an earlier one", (id) =>
  expect(modelSize(id)).toBeUndefined(),
);

test("no model reads more than the price list says", async () => {
  const prices = await createPrices();
  const at = Date.UTC(2026, 9, 1);
  for (const provider of ["openai", "anthropic", "google"])
    for (const model of await listedModels(provider)) {
      const listed = (await loadPriceList())({ provider, model, at })?.contextWindow ?? Number.POSITIVE_INFINITY;
      expect([model, Math.max(listed, prices.contextWindow({ provider, model, at }) ?? 0)]).toEqual([model, listed]);
    }
});
