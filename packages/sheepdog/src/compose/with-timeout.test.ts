import type { RunQuestion } from "@sheepdog/agent";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { approveWithTimeout, askAboutRunWithTimeout, askWithTimeout } from "./with-timeout.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const call = { type: "call", id: "c1", tool: "bash", input: {} } as const;
const { signal } = new AbortController();

test("a question without an answer in time counts as no, and is withdrawn", async () => {
  let isWithdrawn = false;
  const never = (_: unknown, __: unknown, timeoutSignal: AbortSignal) =>
    new Promise<never>(() => {
      timeoutSignal.addEventListener("abort", () => {
        isWithdrawn = true;
      });
    });
  const answer = approveWithTimeout(never, 30)(call, "why", signal);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([await answer, isWithdrawn]).toEqual([
    { isAllowed: false, isUnanswered: true, reason: "there was no answer within 30 s" },
    true,
  ]);
  const none = askWithTimeout(() => new Promise(() => {}), 30)({ text: "?", choices: [] }, signal);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await none).toBeUndefined();
  const noDecision = askAboutRunWithTimeout(() => new Promise(() => {}), 30)({} as RunQuestion, signal); // not read
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await noDecision).toBeUndefined();
});

test("an answer in time counts, and 0 seconds waits without limit", async () => {
  expect(await approveWithTimeout(async () => ({ isAllowed: true }), 30)(call, "why", signal)).toEqual({
    isAllowed: true,
  });
  expect(vi.getTimerCount()).toBe(0);
  const approve = async () => ({ isAllowed: true });
  expect(approveWithTimeout(approve, 0)).toBe(approve);
  const rules: unknown[] = [];
  const noting = async (_: unknown, __: unknown, ___: unknown, rule: unknown) => ({ isAllowed: rules.push(rule) > 0 });
  const rule = { tool: "bash", command: "git push *", decision: "allow" } as const;
  await approveWithTimeout(noting, 30)(call, "why", signal, rule);
  expect(rules).toEqual([rule]);
});
