import type { InterruptSignal } from "./io.ts";

/** The exit codes of the commands. The exit codes of runs are in `outcomes` of `@sheepdog/agent`. */
export const exitCode = { done: 0, failed: 1, usage: 2, findings: 5, interrupted: 130, terminated: 143 } as const;

/** The exit code of a process that a signal ended. */
export function signalExitCode(signal: InterruptSignal): number {
  return signal === "SIGINT" ? exitCode.interrupted : exitCode.terminated;
}
