import type { Clock } from "@sheepdog/agent";

/** A clock that the test moves: sleeping returns at once and moves it, ticks come with `advance`. */
export interface ManualClock extends Clock {
  /** Moves the clock in steps of ten seconds, with a tick after each. */
  advance(ms: number): void;
}

let clockCount = 0;

/** Creates a clock that starts at a fixed time. */
export function manualClock(): ManualClock {
  let now = 1_700_000_000_000;
  let idCount = 0;
  const clockNumber = clockCount++;
  const tickListeners = new Set<() => void>();
  const timers = new Set<{ readonly at: number; readonly act: () => void }>();
  return {
    now: () => (now += 1),
    async sleep(ms) {
      now += ms;
    },
    after(ms, act) {
      const timer = { at: now + ms, act };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    every(_ms, act) {
      tickListeners.add(act);
      return () => void tickListeners.delete(act);
    },
    random: () => 0.5,
    newId: (prefix) => `${prefix}_${clockNumber}_${idCount++}`, // unique across clocks: a session may outlive its clock
    advance(ms) {
      for (let leftMs = ms; leftMs > 0; leftMs -= 10_000) {
        now += Math.min(leftMs, 10_000);
        for (const timer of timers) if (timer.at <= now && timers.delete(timer)) timer.act();
        for (const act of tickListeners) act();
      }
    },
  };
}
