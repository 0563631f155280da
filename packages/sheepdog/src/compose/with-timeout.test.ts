import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { approveWithTimeout, askWithTimeout } from "./with-timeout.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const call = { type: "call", id: "c1", tool: "bash", input: {} } as const;
const { signal } = new AbortController();

test("a question that nobody answers in time is a no, and is taken back", async () => {
  let isWithdrawn = false;
  const never = (_: unknown, __: unknown, patience: AbortSignal) =>
    new Promise<never>(() => {
      patience.addEventListener("abort", () => {
        isWithdrawn = true;
      });
    });
  const answer = approveWithTimeout(never, 30)(call, "why", signal);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([await answer, isWithdrawn]).toEqual([{ isAllowed: false, reason: "nobody answered within 30 s" }, true]);
  const none = askWithTimeout(() => new Promise(() => {}), 30)({ text: "?", choices: [] }, signal);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await none).toBeUndefined();
});

test("an answer in time counts, and without a time it waits", async () => {
  expect(await approveWithTimeout(async () => ({ isAllowed: true }), 30)(call, "why", signal)).toEqual({
    isAllowed: true,
  });
  expect(vi.getTimerCount()).toBe(0);
  const patient = async () => ({ isAllowed: true });
  expect(approveWithTimeout(patient, 0)).toBe(patient);
});
