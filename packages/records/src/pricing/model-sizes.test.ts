import { expect, test } from "vitest";
import { modelSize } from "./model-sizes.ts";

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
])("%s reads %i tokens and writes %i", (id, window, output) => {
  expect(modelSize(id)).toEqual({ window, output });
});

test.each(["claude-sonnet-9", "claude-opus-4-9", "gpt-5.9", "proto3", "turbo1-large", "llama3.2", ""])(
  "%s is not listed, and a later version is not taken for an earlier one",
  (id) => expect(modelSize(id)).toBeUndefined(),
);
