import { expect, test } from "vitest";
import type { Failure } from "./failure.ts";
import { retryAfterMs } from "./retry-after.ts";
import { retryDelayMs } from "./retry-delay.ts";

const refused: Failure = { kind: "rate-limit", problem: "Too many.", isRetryable: true };
const wait = (failures: number, failure: Failure, random: number) =>
  retryDelayMs({ failures, failure, maxWaitMs: 60_000, random: () => random });

test("waits double up to a minute, and a random part of up to a half is taken off", () => {
  expect([1, 2, 3, 4, 5].map((failures) => wait(failures, refused, 0.5))).toEqual([750, 1_500, 3_000, 6_000, 12_000]);
  expect(wait(3, refused, 0)).toBe(4_000);
  expect(wait(100, refused, 0)).toBe(60_000);
  expect(wait(100, refused, 0.999)).toBe(30_030);
});

test("the wait that the provider asks for is kept, also above a minute, and extended by up to a tenth", () => {
  expect(wait(1, { ...refused, retryAfterMs: 20_000 }, 0)).toBe(20_000);
  expect(wait(1, { ...refused, retryAfterMs: 20_000 }, 0.5)).toBe(21_000);
  expect(wait(1, { ...refused, retryAfterMs: 600_000 }, 0.5)).toBe(630_000);
  expect(wait(1, { ...refused, retryAfterMs: 1e12 }, 0.5)).toBe(750); // thirty years are a mistake
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
