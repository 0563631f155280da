import { writeSync } from "node:fs";
import { exitCode } from "../../exit-code.ts";
import { plainText } from "../../render/terminal/plain-text.ts";

/** Handles errors in our own code until it is stopped. */
export interface CrashHandler {
  /** Prints the error and how to continue, and ends the process. */
  crash(error: unknown): void;
  stop(): void;
}

/** Handles uncaught errors. `restoreTerminal` is called before the error is printed. */
export function handleCrashes(resume: () => string | undefined, restoreTerminal: () => void): CrashHandler {
  const crash = (error: unknown) => {
    restoreTerminal();
    const problem = plainText((error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "");
    const command = resume();
    writeNow(`\nsheepdog: the chat crashed: ${problem}.${command === undefined ? "" : ` To resume: ${command}`}\n`);
    process.exit(exitCode.failed);
  };
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  return {
    crash,
    stop() {
      process.off("uncaughtException", crash);
      process.off("unhandledRejection", crash);
    },
  };
}

/** Writes to stderr synchronously: the process ends next. */
function writeNow(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // the reader of stderr is gone
  }
}
