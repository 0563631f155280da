import { expect, test } from "vitest";
import { orLeave, type StartTimer, watchStream } from "./stream-watch.ts";

/** Timers that fire when told to. */
function manualTimers() {
  const timers: { ms: number; refreshed: number; isStopped: boolean; fire: () => void }[] = [];
  const startTimer: StartTimer = (ms, fire) => {
    const timer = { ms, refreshed: 0, isStopped: false, fire };
    timers.push(timer);
    return { refresh: () => void timer.refreshed++, stop: () => void Object.assign(timer, { isStopped: true }) };
  };
  return { timers, startTimer };
}

test("silence before the first sign of life ends the request", () => {
  const { timers, startTimer } = manualTimers();
  const watch = watchStream({ firstByteMs: 10, betweenMs: 20, signal: new AbortController().signal, startTimer });
  timers[0]?.fire();
  expect([watch.cut(), watch.signal.aborted]).toEqual(["first-byte", true]);
});

test("after it, silence between parts does, and every part sets the time back", () => {
  const { timers, startTimer } = manualTimers();
  const watch = watchStream({ firstByteMs: 10, betweenMs: 20, signal: new AbortController().signal, startTimer });
  watch.alive();
  watch.alive();
  watch.alive();
  expect(timers.map(({ ms, refreshed, isStopped }) => ({ ms, refreshed, isStopped }))).toEqual([
    { ms: 10, refreshed: 0, isStopped: true },
    { ms: 20, refreshed: 2, isStopped: false },
  ]);
  timers[1]?.fire();
  expect(watch.cut()).toBe("between");
});

test("an abort is passed on, also one that came before", () => {
  const control = new AbortController();
  const watch = watchStream({ firstByteMs: 0, betweenMs: 0, signal: control.signal });
  control.abort();
  expect([watch.cut(), watch.signal.aborted]).toEqual(["cancelled", true]);
  expect(watchStream({ firstByteMs: 0, betweenMs: 0, signal: control.signal }).cut()).toBe("cancelled");
});

test("a watch that is over ends nothing", () => {
  const { timers, startTimer } = manualTimers();
  const control = new AbortController();
  const watch = watchStream({ firstByteMs: 10, betweenMs: 20, signal: control.signal, startTimer });
  watch.stop({ isDone: true });
  control.abort();
  expect([watch.cut(), watch.signal.aborted, timers[0]?.isStopped]).toEqual([undefined, false, true]);
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])("a limit of %s ms is none", (ms) => {
  const { timers, startTimer } = manualTimers();
  watchStream({ firstByteMs: ms, betweenMs: ms, signal: new AbortController().signal, startTimer }).alive();
  expect(timers).toEqual([]);
});

test("who ignores an abort is not waited for", async () => {
  const control = new AbortController();
  const waiting = orLeave(new Promise<string>(() => undefined), control.signal);
  control.abort();
  expect(await waiting).toBeUndefined();
  expect(await orLeave(Promise.resolve("there"), new AbortController().signal)).toBe("there");
  await expect(orLeave(Promise.reject(new Error("no")), new AbortController().signal)).rejects.toThrow("no");
});
