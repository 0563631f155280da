import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTimer } from "./timer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("it fires once, when its time is over", () => {
  const fire = vi.fn();
  startTimer(100, fire);
  vi.advanceTimersByTime(99);
  expect(fire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(500);
  expect(fire).toHaveBeenCalledOnce();
});

test("set back, it waits for all of its time again", () => {
  const fire = vi.fn();
  const timer = startTimer(100, fire);
  vi.advanceTimersByTime(60);
  timer.refresh();
  vi.advanceTimersByTime(99);
  expect(fire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(fire).toHaveBeenCalledOnce();
});

test("one that follows another has all of its time, and the first has nothing to do with it any more", () => {
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

test("one that has fired is over: stopping it then takes nothing from the next", () => {
  const next = vi.fn();
  const over = startTimer(100, () => undefined);
  vi.advanceTimersByTime(100);
  startTimer(100, next);
  over.stop();
  vi.advanceTimersByTime(100);
  expect(next).toHaveBeenCalledOnce();
});

test("two at the same time do not know each other, and nothing is left when all are over", () => {
  const [one, other] = [vi.fn(), vi.fn()];
  const timer = startTimer(100, one);
  startTimer(100, other);
  timer.stop();
  vi.advanceTimersByTime(200);
  expect([one.mock.calls.length, other.mock.calls.length, vi.getTimerCount()]).toEqual([0, 1, 0]);
});

test("one that is longer than Node's own can be is waited for to its end", () => {
  const fire = vi.fn();
  startTimer(2 ** 32, fire);
  vi.advanceTimersByTime(2 ** 32 - 1);
  expect(fire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(fire).toHaveBeenCalledOnce();
});

test("a process waits for one that runs, unless it is told not to, and for none that was stopped", () => {
  vi.useRealTimers();
  const alive = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = alive();
  const timers = [startTimer(10_000, () => undefined), startTimer(10_000, () => undefined, { isWaitedFor: false })];
  const during = alive();
  for (const timer of timers) timer.stop();
  expect([during - before, alive() - before]).toEqual([1, 0]);
});

test("whether a process waits is said by each anew, whatever the one before it was told", () => {
  vi.useRealTimers();
  const alive = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = alive();
  const counts = [true, false, false, true].map((isWaitedFor) => {
    const timer = startTimer(10_001, () => undefined, { isWaitedFor });
    const during = alive();
    timer.stop();
    return during - before;
  });
  expect([...counts, alive() - before]).toEqual([1, 0, 0, 1, 0]);
});

test("one that was stopped in another time, real or not, is not used again", () => {
  startTimer(70, () => undefined).stop();
  vi.useRealTimers();
  const real = startTimer(70, () => undefined);
  vi.useFakeTimers();
  real.stop();
  const fire = vi.fn();
  startTimer(70, fire);
  vi.advanceTimersByTime(70);
  expect(fire).toHaveBeenCalledOnce();
});

test("however many are stopped, few are kept", () => {
  for (const timer of Array.from({ length: 1_000 }, () => startTimer(100, () => undefined))) timer.stop();
  expect(vi.getTimerCount()).toBeLessThanOrEqual(16);
});
