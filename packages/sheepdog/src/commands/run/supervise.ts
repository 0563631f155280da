import { writeSync } from "node:fs";
import type { Run } from "@sheepdog/agent";
import { exitCode, signalExitCode } from "../../exit-code.ts";
import type { InterruptSignal, Io } from "../../io.ts";
import { safeText } from "../../render/terminal/safe-text.ts";

/** What a supervised run is ended by. */
export interface Supervised {
  /** The signal that the process was asked to end with, if it was. */
  readonly signal: InterruptSignal | undefined;
  stop(): void;
}

export interface SuperviseOptions {
  readonly run: Pick<Run, "cancel">;
  readonly io: Pick<Io, "onInterrupt">;
  /** Answers an open question with no; true where there was one, and that is all Ctrl-C means then. */
  readonly decline: () => boolean;
  readonly say: (sentence: string) => void;
  /** The command that goes on, for the last words of a process that breaks. */
  readonly resume: string | undefined;
  /** What stdout is owed where the process breaks, if anything. */
  readonly owed?: (problem: string) => string | undefined;
  /** Ends the process now; tools that still run are ended with it. */
  readonly leave: (code: number) => void;
}

/** Listens to the person and the system while a run goes on: the first wish to end ends it in good order, the second ends the process. */
export function supervise({ run, io, decline, say, resume, owed, leave }: SuperviseOptions): Supervised {
  let signal: InterruptSignal | undefined;

  const onSignal = (given: InterruptSignal) => {
    if (given === "SIGINT" && signal === undefined && decline()) return;
    if (signal !== undefined) return leave(signalExitCode(signal));
    signal = given;
    say("ending in good order; Ctrl-C again ends now");
    run.cancel();
  };
  const onCrash = (error: unknown) => {
    const why = safeText((error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "");
    lastWords(1, owed?.(why) ?? "");
    lastWords(2, `sheepdog: something broke: ${why}.${resume === undefined ? "" : ` Go on: ${resume}`}\n`);
    leave(exitCode.failed);
  };

  const stopListening = io.onInterrupt(onSignal);
  process.on("uncaughtException", onCrash);
  process.on("unhandledRejection", onCrash);
  return {
    get signal() {
      return signal;
    },
    stop() {
      stopListening();
      process.off("uncaughtException", onCrash);
      process.off("unhandledRejection", onCrash);
    },
  };
}

/** At once: nothing that waits is done any more. */
function lastWords(output: 1 | 2, text: string): void {
  try {
    if (text !== "") writeSync(output, text);
  } catch {
    // nobody reads it any more
  }
}
