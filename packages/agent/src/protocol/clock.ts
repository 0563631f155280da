import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { startTimer } from "../async/timer.ts";

/** Time, waiting and randomness for the runtime; tests supply their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves early, without an error, when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls `act` once, later, unless the returned function is called first. */
  after(ms: number, act: () => void): () => void;
  /** Calls `act` repeatedly until the returned function is called. */
  every(ms: number, act: () => void): () => void;
  random(): number;
  newId(prefix: string): string;
}

const ID_DIGITS = 20;

/** The clock of the machine. */
export const machineClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    await wait(ms, undefined, { signal }).catch(() => undefined);
  },
  after(ms, act) {
    const timer = startTimer(ms, act);
    return () => timer.stop();
  },
  every(ms, act) {
    const timer = setInterval(act, ms).unref();
    return () => clearInterval(timer);
  },
  random: () => Math.random(),
  newId: (prefix) => `${prefix}_${randomUUID().replaceAll("-", "").slice(-ID_DIGITS)}`,
};
