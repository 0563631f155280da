import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTimer } from "./timer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a timer fires once, after its wait", () => {
  const fire = vi.fn();
  startTimer(100, fire);
  vi.advanceTimersByTime(99);
  expect(fire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(500);
  expect(fire).toHaveBeenCalledOnce();
});

test("a refreshed timer waits in full again", () => {
  const fire = vi.fn();
  const timer = startTimer(100, fire);
  vi.advanceTimersByTime(60);
  timer.refresh();
  vi.advanceTimersByTime(99);
  expect(fire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(fire).toHaveBeenCalledOnce();
});

test("stopping and refreshing a stopped timer does not affect a later timer", () => {
  const [first, second] = [vi.fn(), vi.fn()];
  const stopped = startTimer(100, first);
  vi.advanceTimersByTime(60);
  stopped.stop();
  startTimer(100, second);
  stopped.stop();
  stopped.refresh();
  vi.advanceTimersByTime(99);
  expect(second).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
});

test("stopping a timer that has fired does not affect a later timer", () => {
  const next = vi.fn();
  const over = startTimer(100, () => undefined);
  vi.advanceTimersByTime(100);
  startTimer(100, next);
  over.stop();
  vi.advanceTimersByTime(100);
  expect(next).toHaveBeenCalledOnce();
});

test("two timers are independent, and none is left when both are over", () => {
  const [one, other] = [vi.fn(), vi.fn()];
  const timer = startTimer(100, one);
  startTimer(100, other);
  timer.stop();
  vi.advanceTimersByTime(200);
  expect([one.mock.calls.length, other.mock.calls.length, vi.getTimerCount()]).toEqual([0, 1, 0]);
});

test("a wait longer than Node's maximum ends on time", () => {
  const fire = vi.fn();
  startTimer(2 ** 32, fire);
  vi.advanceTimersByTime(2 ** 32 - 1);
  expect(fire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(fire).toHaveBeenCalledOnce();
});

test("a running timer keeps the process alive unless isWaitedFor is false; a stopped one does not", () => {
  vi.useRealTimers();
  const alive = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = alive();
  const timers = [startTimer(10_000, () => undefined), startTimer(10_000, () => undefined, { isWaitedFor: false })];
  const during = alive();
  for (const timer of timers) timer.stop();
  expect([during - before, alive() - before]).toEqual([1, 0]);
});

test("a timer that has fired is not started again by refreshing it", () => {
  const fire = vi.fn();
  const timer = startTimer(100, fire);
  vi.advanceTimersByTime(100);
  timer.refresh();
  vi.advanceTimersByTime(500);
  expect(fire).toHaveBeenCalledOnce();
});
