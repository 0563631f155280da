import { writeSync } from "node:fs";
import { exitCode } from "../../exit-code.ts";
import { plainText } from "../../render/terminal/plain-text.ts";

/** What is done where our own code breaks. */
export interface CrashHandler {
  /** Says so, with the way back, and ends the process: whatever broke may break again. */
  crash(error: unknown): void;
  stop(): void;
}

/** Listens for errors that nobody catches. `before` leaves the terminal as it was. */
export function handleCrashes(resume: () => string | undefined, before: () => void): CrashHandler {
  const crash = (error: unknown) => {
    before();
    const why = plainText((error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "");
    const back = resume();
    lastWords(`\nsheepdog: the chat broke off: ${why}.${back === undefined ? "" : ` Go on: ${back}`}\n`);
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

/** At once: nothing that waits is done any more. */
function lastWords(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // nobody reads stderr any more
  }
}
