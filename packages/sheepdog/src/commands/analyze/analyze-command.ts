import type { Policy } from "@sheepdog/guardian";
import { unrecordedLimits } from "@sheepdog/records";
import { exitCode } from "../../exit-code.ts";
import { type Io, OutputError, writeMessage } from "../../io.ts";
import type { LookBack } from "../../look-back/look-back.ts";
import type { ScanEvent } from "../../look-back/scan/scan-event.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { Parsed } from "../read-amount.ts";
import type { AnalyzeOptions } from "./analyze-options.ts";
import { chooseReport, isForPrograms } from "./choose-report.ts";
import { failureTexts, readFailOn } from "./fail-on.ts";
import { htmlProblem } from "./html-file.ts";
import { chooseInput, type LookBackInput } from "./look-back-input.ts";
import { misspelledPath } from "./misspelled-path.ts";
import { writeNoRuns } from "./no-runs.ts";
import { inputItems, openLookBack } from "./open-look-back.ts";
import { piped } from "./piped-recording.ts";
import { scanProgress } from "./scan-progress.ts";
import { findOptionProblem, usesSecondOpinion } from "./second-opinion-options.ts";
import { writeSkipped, writeSkippedLine } from "./skipped-files.ts";

export type { AnalyzeOptions } from "./analyze-options.ts";

/** Looks back at recorded runs, and prints what the options ask for. */
export async function analyzeCommand(given: readonly string[], options: AnalyzeOptions, io: Io): Promise<number> {
  const top = readTop(options.top);
  const failOn = readFailOn(options.failOn);
  const source = await piped(given, io);
  const chosen = await chooseInput(source.paths, options, io);
  const problems = [
    ...[(await htmlProblem(options, io)) ?? []].flat(),
    ...[findOptionProblem(options) ?? []].flat(),
    ...[misspelledPath(source.paths, options, io.cwd) ?? []].flat(),
    ...(chosen.ok ? [] : chosen.problems),
    ...(top.ok ? [] : [top.problem]),
    ...(failOn.ok ? [] : failOn.problems),
  ];
  if (!chosen.ok || !top.ok || !failOn.ok || problems.length > 0) return usageError(problems, io);
  for (const note of chosen.notes) await writeMessage(io, plainText(note));
  const { input } = chosen;
  await reportUnrecordedLimits(input.policy, io);
  const read = await readRuns(input, options, source.io);
  if (!read.ok) return read.exitCode;
  const { lookBack, isComplete } = read;
  if (lookBack.runs.length === 0 && !isForPrograms(options)) return writeNoRuns(lookBack, { input, options, io });
  const failures = failureTexts(lookBack, failOn.value);
  const isFailed = failures.length > 0;
  try {
    const isWholeMachine = input.paths.length === 0;
    const report = await chooseReport(options);
    await report(lookBack, { io, options, top: top.value, now: input.now, policy: input.policy, isWholeMachine });
    await writeSkipped(lookBack, { options, io });
    for (const failure of failures) await writeMessage(io, failure);
    return reportExitCode(lookBack, { isFailed, isComplete, isWholeMachine });
  } catch (error) {
    // The condition of --fail-on holds even if the reader did not read to the end.
    if (error instanceof OutputError && error.isReaderGone && isFailed) return exitCode.findings;
    throw error;
  }
}

/** Reads `--top`; undefined where it was not given. */
function readTop(text: string | undefined): Parsed<number | undefined> {
  if (text === undefined) return { ok: true, value: undefined };
  const isNumber = /^[1-9]\d{0,5}$/.test(text.trim());
  if (isNumber) return { ok: true, value: Number(text) };
  return { ok: false, problem: `--top ${text}: it must be a whole number above 0` };
}

function reportExitCode(
  { runs }: LookBack,
  { isFailed, isComplete, isWholeMachine }: Readonly<Record<"isFailed" | "isComplete" | "isWholeMachine", boolean>>,
): number {
  if (isFailed) return exitCode.findings;
  if (runs.length === 0 && !isWholeMachine) return exitCode.usage;
  return isComplete ? exitCode.done : exitCode.failed;
}

async function usageError(problems: readonly string[], io: Io): Promise<number> {
  for (const problem of problems) await writeMessage(io, plainText(problem));
  return exitCode.usage;
}

type ReadRuns =
  | { readonly ok: true; readonly lookBack: LookBack; readonly isComplete: boolean }
  | { readonly ok: false; readonly exitCode: number };

/** Reads all runs, with second opinions if the options ask for them. */
async function readRuns(input: LookBackInput, options: AnalyzeOptions, io: Io): Promise<ReadRuns> {
  const progress = scanProgress(io);
  const onEvent = async (event: ScanEvent) => {
    progress.onEvent(event);
    if (options.skipped && event.type === "skipped") await writeSkippedLine(event.skipped, io);
  };
  try {
    if (!usesSecondOpinion(options))
      return { ok: true, lookBack: await openLookBack(input, io, { onEvent }), isComplete: true };
    const { openSecondOpinions } = await import("./second-opinions.ts");
    const opened = await openSecondOpinions({
      options,
      policy: input.policy,
      readsStdin: input.paths.includes("-"),
      read: () => inputItems(input, io),
      io,
    });
    if (!opened.ok) return opened;
    const { items, findOpinion, policy, end } = opened.secondOpinions;
    const lookBack = await openLookBack(input, io, { items, findOpinion, policy, onEvent });
    return { ok: true, lookBack, isComplete: await end() };
  } finally {
    progress.end();
  }
}

/** Recordings do not contain everything: a limit that cannot be checked must not seem to be checked. */
async function reportUnrecordedLimits(policy: Policy, io: Io): Promise<void> {
  const limits = unrecordedLimits(policy);
  if (limits.length === 0) return;
  const subject = limits.length === 1 ? "the limit" : "the limits";
  const verb = limits.length === 1 ? "is" : "are";
  await writeMessage(
    io,
    `${subject} ${limits.join(", ")} ${verb} not checked: recordings do not contain the amount used`,
  );
}
