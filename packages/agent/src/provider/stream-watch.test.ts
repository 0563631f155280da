import { expect, test } from "vitest";
import { createStreamWatch, type StartTimer } from "./stream-watch.ts";

/** Timers that the test fires. */
function manualTimers() {
  const timers: { ms: number; refreshed: number; isStopped: boolean; fire: () => void }[] = [];
  const startTimer: StartTimer = (ms, fire) => {
    const timer = { ms, refreshed: 0, isStopped: false, fire };
    timers.push(timer);
    return { refresh: () => void timer.refreshed++, stop: () => void Object.assign(timer, { isStopped: true }) };
  };
  return { timers, startTimer };
}

test("silence before the first part ends the request", () => {
  const { timers, startTimer } = manualTimers();
  const watch = createStreamWatch({ firstByteMs: 10, betweenMs: 20, signal: new AbortController().signal, startTimer });
  timers[0]?.fire();
  expect([watch.cut(), watch.signal.aborted]).toEqual(["first-byte", true]);
});

test("silence between parts ends the request, and every part restarts the timer", () => {
  const { timers, startTimer } = manualTimers();
  const watch = createStreamWatch({ firstByteMs: 10, betweenMs: 20, signal: new AbortController().signal, startTimer });
  watch.onActivity();
  watch.onActivity();
  watch.onActivity();
  expect(timers.map(({ ms, refreshed, isStopped }) => ({ ms, refreshed, isStopped }))).toEqual([
    { ms: 10, refreshed: 0, isStopped: true },
    { ms: 20, refreshed: 2, isStopped: false },
  ]);
  timers[1]?.fire();
  expect(watch.cut()).toBe("between");
});

test("an abort is passed on, also if it came before the watch", () => {
  const control = new AbortController();
  const watch = createStreamWatch({ firstByteMs: 0, betweenMs: 0, signal: control.signal });
  control.abort();
  expect([watch.cut(), watch.signal.aborted]).toEqual(["cancelled", true]);
  expect(createStreamWatch({ firstByteMs: 0, betweenMs: 0, signal: control.signal }).cut()).toBe("cancelled");
});

test("a stopped watch ends nothing", () => {
  const { timers, startTimer } = manualTimers();
  const control = new AbortController();
  const watch = createStreamWatch({ firstByteMs: 10, betweenMs: 20, signal: control.signal, startTimer });
  watch.stop({ isDone: true });
  control.abort();
  expect([watch.cut(), watch.signal.aborted, timers[0]?.isStopped]).toEqual([undefined, false, true]);
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])("a limit of %s ms means no limit", (ms) => {
  const { timers, startTimer } = manualTimers();
  createStreamWatch({ firstByteMs: ms, betweenMs: ms, signal: new AbortController().signal, startTimer }).onActivity();
  expect(timers).toEqual([]);
});
