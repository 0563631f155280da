import { existsSync, writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** Passes one point at which a process could end, or be held up. */
export type Step = (name: string) => void | Promise<void>;

/** Goes on at every step. */
export const noStep: Step = () => undefined;

/** Counts steps, and kills this very process at one of them, as a power switch would: nothing of it is cleaned up. */
export function killingStep(killAt: number | undefined): {
  readonly step: (name: string) => void;
  readonly count: () => number;
} {
  let count = 0;
  return {
    count: () => count,
    step(name) {
      count += 1;
      if (count !== killAt) return;
      report({ killedAt: name });
      process.kill(process.pid, "SIGKILL");
    },
  };
}

/** Says something to the process that started this one, and goes on when it is said. */
export function report(what: Readonly<Record<string, unknown>>): void {
  const bytes = Buffer.from(`${JSON.stringify(what)}\n`);
  for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes, written);
}

/** Waits until somebody makes a file. */
export async function waitForFile(path: string): Promise<void> {
  while (!existsSync(path)) await pause(5);
}
