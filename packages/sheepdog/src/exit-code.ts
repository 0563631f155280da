import type { InterruptSignal } from "./io.ts";

/** What the commands end with. */
export const exitCode = { done: 0, failed: 1, usage: 2, findings: 5, interrupted: 130, terminated: 143 } as const;

/** What a process ends with that was asked to end. */
export function signalExitCode(signal: InterruptSignal): number {
  return signal === "SIGINT" ? exitCode.interrupted : exitCode.terminated;
}
