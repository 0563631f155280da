import { randomFillSync } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { startTimer } from "../async/timer.ts";

/** Time, waiting and chance, as the runtime needs them: a test brings its own. */
export interface Clock {
  now(): number;
  /** Ends early, without an error, when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls once, later; not where the returned function is called before. */
  after(ms: number, act: () => void): () => void;
  /** Calls again and again until the returned function is called. */
  every(ms: number, act: () => void): () => void;
  random(): number;
  newId(prefix: string): string;
}

/** The machine's own. */
export const machineClock: Clock = {
  now: () => machineNow(),
  async sleep(ms, signal) {
    await wait(ms, undefined, { signal }).catch(() => undefined); // an abort is a reason to go on, not an error
  },
  after(ms, act) {
    const timer = startTimer(ms, act);
    return () => timer.stop();
  },
  every(ms, act) {
    const timer = setInterval(act, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
  random: () => Math.random(),
  newId: (prefix) => `${prefix}_${randomHex()}`,
};

/** A clock's time as a function. One for all runs where the clock is the machine's: V8 compiles what calls it once, and not anew for each. */
export function nowOf(clock: Clock): () => number {
  return clock === machineClock ? machineNow : () => clock.now();
}

const machineNow = () => Date.now();

const idLength = 20;
/** Chance is drawn for many ids at once: each draw costs as much as hundreds of ids. */
const pool = Buffer.alloc((idLength / 2) * 1_024);
let drawn = "";
let used = 0;

function randomHex(): string {
  if (used === drawn.length) {
    drawn = randomFillSync(pool).toString("hex");
    used = 0;
  }
  used += idLength;
  return drawn.slice(used - idLength, used);
}
