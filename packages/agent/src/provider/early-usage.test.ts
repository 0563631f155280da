import { expect, test } from "vitest";
import { readEarlyUsage } from "./early-usage.ts";

test("Anthropic reports the input at the start, cached tokens separately", () => {
  const usage = { input_tokens: 20, cache_read_input_tokens: 100, cache_creation_input_tokens: 7, output_tokens: 1 };
  expect(readEarlyUsage({ type: "message_start", message: { usage } })).toEqual({
    inputTokens: { total: 127, cacheRead: 100, cacheWrite: 7 },
  });
});

test("Gemini reports the input with every event", () => {
  expect(readEarlyUsage({ candidates: [], usageMetadata: { promptTokenCount: 127 } })).toEqual({
    inputTokens: { total: 127, cacheRead: 0 },
  });
});

test.each([undefined, null, "", 7, {}, { message: { usage: { input_tokens: "127" } } }, { usageMetadata: null }])(
  "%j has none",
  (event) => expect(readEarlyUsage(event)).toBeUndefined(),
);
