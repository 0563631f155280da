import { expect, test } from "vitest";
import { configSchema } from "../config/schema.ts";
import { contextSize } from "./context-size.ts";

const sizeOf = (agent: object, window?: number) => contextSize(configSchema.parse({ agent }).agent, window);

test("the context is the model's window, and 128,000 tokens if that is unknown", () => {
  expect(sizeOf({}, 1_000_000)).toBe(1_000_000);
  expect(sizeOf({})).toBe(128_000);
});

test("a configured size holds, up to the model's window", () => {
  expect(sizeOf({ max_context_tokens: 50_000 }, 200_000)).toBe(50_000);
  expect(sizeOf({ max_context_tokens: 500_000 }, 200_000)).toBe(200_000);
  expect(sizeOf({ max_context_tokens: 500_000 })).toBe(500_000);
});

test("0 is no limit", () => {
  expect(sizeOf({ max_context_tokens: 0 }, 200_000)).toBe(0);
});

test("the preset ryvos has 32,000 tokens unless another size is configured", () => {
  expect(sizeOf({ guardian: { preset: "ryvos" } }, 200_000)).toBe(32_000);
  expect(sizeOf({ guardian: { preset: "ryvos" }, max_context_tokens: 64_000 }, 200_000)).toBe(64_000);
});
