import type { AgentEvent, Run, RunResult } from "@sheepdog/agent";
import type { RunOptions } from "../../config/run-options.ts";
import { signalExitCode } from "../../exit-code.ts";
import { type Io, OutputError } from "../../io.ts";
import { withProgramName } from "../../program-name.ts";
import { hintLines } from "../../render/terminal/command-lines.ts";
import { columnsOf } from "../../render/terminal/style.ts";
import { reportRuntimeWarnings } from "../../runtime-warnings.ts";
import type { EventReader } from "./event-reader.ts";
import type { Progress } from "./progress.ts";
import { raiseHint } from "./raise-hint.ts";
import { crashDocument, type Judgement, type OpinionGiven, type RefusedCalls } from "./result-document.ts";
import type { TerminalAsker } from "./terminal-asker.ts";
import { handleTermination } from "./termination-handler.ts";
import { documentOutput, type Viewer } from "./viewer.ts";

/** Where a run is shown, and how the process ends. */
export interface RunOutput {
  readonly options: RunOptions;
  readonly io: Io;
  readonly progress: Progress;
  readonly viewer: Viewer;
  readonly events: EventReader<AgentEvent>;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** The result of a run and of showing it. */
export interface WatchedRun {
  readonly result: RunResult;
  /** Set if stdout could not be written. */
  readonly failure: OutputError | undefined;
  readonly refused: RefusedCalls;
  readonly opinions: readonly OpinionGiven[];
  readonly judgement: Judgement;
}

/** Shows a run until it ends, and cancels it if stdout cannot be written. `resume` is printed after a crash. */
export async function watchRun(
  { options, io, progress, viewer, events, exit }: RunOutput,
  run: Run,
  { asker, resume }: { readonly asker: TerminalAsker | undefined; readonly resume: string | undefined },
): Promise<WatchedRun> {
  const say = (sentence: string) => void progress.message(sentence);
  const termination = handleTermination({
    run,
    io,
    exit,
    resume,
    say,
    stopAtQuestion: () => asker?.interrupt() ?? false,
    crashOutput: (problem) => documentOutput(options, crashDocument(run, problem, resume)),
  });
  const stopWarnings = reportRuntimeWarnings(say);
  let failure: OutputError | undefined;
  const refusedTools: string[] = [];
  const opinions: OpinionGiven[] = [];
  let judgement: Judgement = {};
  let printable: RunResult | undefined;
  try {
    for await (const event of events.read(run)) {
      if (event.type === "ToolBlocked" && event.by === "gate") refusedTools.push(event.tool);
      if (event.type === "OpinionGiven") opinions.push(event);
      if (event.type === "JudgeVerdict") judgement = { ...judgement, verdict: event };
      if (event.type === "GoalEvaluated") judgement = { ...judgement, evaluation: event };
      if (event.type === "RunComplete" || event.type === "RunError") printable = event.result;
      if (failure !== undefined) continue; // reads the remaining events without showing them
      failure = await outputFailure(viewer.show(event));
      const hint = asker !== undefined && progress.isShown ? raiseHint(event, run.limits()) : undefined;
      for (const line of hint === undefined
        ? []
        : hintLines(withProgramName(hint, io.env), columnsOf(io.stderr, io.env) - 2))
        await progress.line(`  ${line}`, "dim");
      if (failure !== undefined) run.cancel();
    }
    const result = printable ?? (await run.result); // the result of the event has its secrets masked
    const { signal } = termination;
    const isInterrupted = result.reason === "cancelled" && signal !== undefined;
    return {
      failure,
      opinions,
      judgement,
      refused: { count: refusedTools.length, tools: [...new Set(refusedTools)] },
      result: isInterrupted ? { ...result, exitCode: signalExitCode(signal) } : result,
    };
  } finally {
    run.cancel(); // has no effect on a run that has ended
    await run.result;
    termination.stop();
    stopWarnings();
  }
}

/** Resolves with the failure if the output could not be written. */
export async function outputFailure(writing: Promise<void>): Promise<OutputError | undefined> {
  try {
    await writing;
    return undefined;
  } catch (error) {
    if (error instanceof OutputError) return error;
    throw error;
  }
}
