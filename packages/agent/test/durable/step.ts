import { existsSync, writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** A point at which a process can be killed or held. */
export type Step = (name: string) => void | Promise<void>;

/** Does nothing at any step. */
export const noStep: Step = () => undefined;

/** Counts steps and kills this process at one of them with SIGKILL, without any clean-up. */
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

/** Sends a report to the parent process, synchronously. */
export function report(fields: Readonly<Record<string, unknown>>): void {
  const bytes = Buffer.from(`${JSON.stringify(fields)}\n`);
  for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes, written);
}

/** Waits until a file exists. */
export async function waitForFile(path: string): Promise<void> {
  while (!existsSync(path)) await pause(5);
}
