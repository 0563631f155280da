import { writeSync } from "node:fs";
import type { Run } from "@sheepdog/agent";
import { exitCode, signalExitCode } from "../../exit-code.ts";
import type { InterruptSignal, Io } from "../../io.ts";
import { safeText } from "../../render/terminal/safe-text.ts";

/** Handles signals and crashes until it is stopped. */
export interface TerminationHandler {
  /** The signal that asked the process to end, if one did. */
  readonly signal: InterruptSignal | undefined;
  stop(): void;
}

export interface TerminationOptions {
  readonly run: Pick<Run, "cancel">;
  readonly io: Pick<Io, "onInterrupt">;
  /** Called on Ctrl-C. Returns true if it has answered an open question about the run with stop. */
  readonly stopAtQuestion: () => boolean;
  readonly say: (sentence: string) => void;
  /** The command that resumes the run, printed after a crash. */
  readonly resume: string | undefined;
  /** What to print to stdout after a crash, if anything. */
  readonly crashOutput?: (problem: string) => string | undefined;
  /** Ends the process, and with it the tools that are running. */
  readonly exit: (code: number) => void;
}

/**
 * Handles Ctrl-C, SIGTERM, SIGHUP and crashes during a run. The first signal cancels the run, the second one ends the
 * process. While the user is asked how the run continues, Ctrl-C is the answer stop.
 */
export function handleTermination({
  run,
  io,
  stopAtQuestion,
  say,
  resume,
  crashOutput,
  exit,
}: TerminationOptions): TerminationHandler {
  let firstSignal: InterruptSignal | undefined;

  const onSignal = (signal: InterruptSignal) => {
    if (signal === "SIGINT" && firstSignal === undefined && stopAtQuestion()) return;
    if (firstSignal !== undefined) return exit(signalExitCode(firstSignal));
    firstSignal = signal;
    say("stopping the run; press Ctrl-C again to exit now");
    run.cancel();
  };
  const onCrash = (error: unknown) => {
    const problem = safeText((error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "");
    writeNow(1, crashOutput?.(problem) ?? "");
    writeNow(2, `sheepdog: internal error: ${problem}.${resume === undefined ? "" : ` To resume: ${resume}`}\n`);
    exit(exitCode.failed);
  };

  const stopListening = io.onInterrupt(onSignal);
  process.on("uncaughtException", onCrash);
  process.on("unhandledRejection", onCrash);
  return {
    get signal() {
      return firstSignal;
    },
    stop() {
      stopListening();
      process.off("uncaughtException", onCrash);
      process.off("unhandledRejection", onCrash);
    },
  };
}

/** Writes synchronously: the process ends next. */
function writeNow(fileDescriptor: 1 | 2, text: string): void {
  try {
    if (text !== "") writeSync(fileDescriptor, text);
  } catch {
    // the reader is gone
  }
}
