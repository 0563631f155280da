import type { Run, RunResult } from "@sheepdog/agent";
import { signalExitCode } from "../../exit-code.ts";
import { OutputError } from "../../io.ts";
import { reportRuntimeWarnings } from "../../runtime-warnings.ts";
import { brokenDocument } from "./result-document.ts";
import type { Room } from "./room.ts";
import { supervise } from "./supervise.ts";
import type { Asker } from "./terminal-asker.ts";
import { owedText } from "./viewer.ts";

/** What came of a run, and of showing it. */
export interface Watched {
  readonly result: RunResult;
  /** Why stdout could not be written, where it could not. */
  readonly failure: OutputError | undefined;
  /** How many calls the gate has refused. */
  readonly refused: number;
}

/** Shows a run to its end. Where stdout cannot be written any more, the run is ended in good order. `resume` is for the last words of a process that breaks. */
export async function watchRun(
  { options, io, progress, viewer, pace, leave }: Room,
  run: Run,
  { asker, resume }: { readonly asker: Asker | undefined; readonly resume: string | undefined },
): Promise<Watched> {
  const decline = () => asker?.decline() ?? false;
  const say = (sentence: string) => void progress.line(`sheepdog: ${sentence}`);
  const supervised = supervise({
    run,
    io,
    leave,
    decline,
    resume,
    say,
    owed: (problem) => owedText(options, brokenDocument(run, problem, resume)),
  });
  const stopHearing = reportRuntimeWarnings(say);
  let failure: OutputError | undefined;
  let refused = 0;
  try {
    for await (const event of pace.follow(run)) {
      if (event.type === "ToolBlocked" && event.by === "gate") refused += 1;
      if (failure !== undefined) continue; // what is left is read, and nobody is told
      failure = await failureOf(viewer.see(event));
      if (failure !== undefined) run.cancel();
    }
    const result = await run.result;
    const { signal } = supervised;
    return {
      failure,
      refused,
      result:
        result.reason === "cancelled" && signal !== undefined
          ? { ...result, exitCode: signalExitCode(signal) }
          : result,
    };
  } finally {
    run.cancel(); // of one that has ended nothing more comes
    await run.result;
    supervised.stop();
    stopHearing();
  }
}

/** Why it could not be written; undefined where it could. */
export async function failureOf(writing: Promise<void>): Promise<OutputError | undefined> {
  try {
    await writing;
    return undefined;
  } catch (error) {
    if (error instanceof OutputError) return error;
    throw error;
  }
}
