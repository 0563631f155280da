import { expect, test } from "vitest";
import type { Failure } from "./failure.ts";
import { retryAfterMs } from "./retry-after.ts";
import { retryDelayMs } from "./retry-delay.ts";

const refused: Failure = { kind: "rate-limit", problem: "Too many.", isRetryable: true };
const wait = (failures: number, failure: Failure, random: number) =>
  retryDelayMs({ failures, failure, maxWaitMs: 60_000, random: () => random });

test("waits grow exponentially, with full jitter, up to the cap", () => {
  expect([1, 2, 3, 4, 5].map((failures) => wait(failures, refused, 0.5))).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
  expect(wait(3, refused, 0)).toBe(0);
  expect(wait(100, refused, 0.999)).toBe(59_940);
});

test("the wait that the provider asks for is extended by up to a tenth, up to the cap", () => {
  expect(wait(1, { ...refused, retryAfterMs: 20_000 }, 0)).toBe(20_000);
  expect(wait(1, { ...refused, retryAfterMs: 20_000 }, 0.5)).toBe(21_000);
  expect(wait(1, { ...refused, retryAfterMs: 1e12 }, 0.5)).toBe(60_000);
});

test.each<[object, number | undefined]>([
  [{ "retry-after": "2" }, 2_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "1000000000" }, 1e12],
  [{ "retry-after": "Thu, 01 Jan 1970 00:01:30 GMT" }, 30_000],
  [{ "retry-after": "Thu, 01 Jan 1970 00:00:30 GMT" }, undefined],
  [{ "retry-after": "1e9" }, 1e12],
  [{ "retry-after": "0" }, undefined],
  [{ "retry-after": "Infinity" }, undefined],
  [{ "retry-after": "-5" }, undefined],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "" }, undefined],
  [{ "retry-after-ms": "120", "retry-after": "9" }, 120],
  [{}, undefined],
])("%j asks for a wait of %j ms", (responseHeaders, ms) => {
  expect(retryAfterMs({ responseHeaders }, 60_000)).toBe(ms);
});

test("Google states the wait in the body", () => {
  expect(retryAfterMs({ responseBody: '{"error":{"details":[{"retryDelay":"34s"}]}}' }, 0)).toBe(34_000);
});
