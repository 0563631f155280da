import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Io } from "../../io.ts";

/** How an agent's program ended. */
export type Ended = { readonly ok: true; readonly code: number } | { readonly ok: false; readonly problem: string };

/**
 * Runs a program in this terminal until it ends. Its exit code is that of the program, or 128 plus the number of the
 * signal that ended it.
 */
export function runAgent(
  [program, ...args]: readonly [string, ...string[]],
  env: Io["env"],
  { cwd, stdin, onInterrupt }: Io,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: { ...env }, stdio: "inherit" });
    const stopListening = onInterrupt((signal) => {
      // A terminal sends Ctrl+C to the agent as well, which decides what it means.
      if (signal !== "SIGINT" || stdin.isTTY !== true) child.kill(signal);
    });
    child.once("error", (error: NodeJS.ErrnoException) => {
      stopListening();
      resolve({ ok: false, problem: error.code === "ENOENT" ? "there is no such program" : error.message });
    });
    child.once("exit", (code, signal) => {
      stopListening();
      resolve({ ok: true, code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) });
    });
  });
}
