import { expect, test } from "vitest";
import type { FailureKind } from "../protocol/failure-kind.ts";
import { createFailure, toFailure } from "./failure.ts";
import { retryLimit } from "./retry-limit.ts";

const limitOf = (kind: FailureKind, isRetryable: boolean, hasFallback = false) =>
  retryLimit(createFailure(kind, "No", isRetryable), { maxRetries: Number.POSITIVE_INFINITY, hasFallback });

test.each(["rate-limit", "overloaded", "network", "timeout"] as const)(
  "%s passes: it is retried without end",
  (kind) => {
    expect(limitOf(kind, true)).toBe(Number.POSITIVE_INFINITY);
    expect(limitOf(kind, true, true)).toBe(3); // the fallback may answer at once
  },
);

test.each(["auth", "not-found", "unknown", "context-too-long"] as const)("%s is never retried", (kind) => {
  expect(limitOf(kind, false)).toBe(0);
});

test("an unreadable answer is retried three times", () => {
  expect(limitOf("bad-response", true)).toBe(3);
});

test("a server that is not running is retried three times", () => {
  const failure = toFailure(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }), 0);
  expect(retryLimit(failure, { maxRetries: Number.POSITIVE_INFINITY, hasFallback: false })).toBe(3);
});
