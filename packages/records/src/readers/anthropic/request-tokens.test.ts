import { expect, test } from "vitest";
import { largerTokens, noTokens, recordedUsage, requestTokens } from "./request-tokens.ts";

test("input is all input, and what is written to the cache is the larger statement", () => {
  const lifetimes = { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 };
  const usage = { input_tokens: 1, cache_read_input_tokens: 100, output_tokens: 7, cache_creation: lifetimes };
  const tokens = requestTokens(usage);
  expect(tokens).toEqual({ input: 1, cacheRead: 100, cacheWrite: 50, cacheWrite1h: 30, output: 7 });
  expect(requestTokens({ ...usage, cache_creation_input_tokens: 60 })?.cacheWrite).toBe(60);
  expect(recordedUsage(tokens ?? noTokens)).toEqual({
    inputTokens: 151,
    cacheReadTokens: 100,
    cacheWriteTokens: 50,
    cacheWrite1hTokens: 30,
    outputTokens: 7,
  });
});

test("what a request spends on compaction is billed besides its own tokens", () => {
  const iterations = [
    { type: "compaction", input_tokens: 1000, output_tokens: 50 },
    { type: "message", input_tokens: 10, output_tokens: 5 },
  ];
  expect(requestTokens({ input_tokens: 10, output_tokens: 5, iterations })).toEqual({
    ...noTokens,
    input: 1010,
    output: 55,
  });
});

test("repeated statements count once, each with its largest number", () => {
  const first = { ...noTokens, input: 3, output: 1 };
  expect(largerTokens(first, { ...noTokens, input: 3, output: 80 })).toEqual({ ...noTokens, input: 3, output: 80 });
});

test("what states no tokens is no usage", () => {
  for (const usage of [undefined, null, 7, [], {}, { input_tokens: "7", output_tokens: -1, cache_creation: 3 }])
    expect(requestTokens(usage)).toBeUndefined();
});
