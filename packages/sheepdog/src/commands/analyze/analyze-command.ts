import { type Level, levels, type Policy } from "@sheepdog/guardian";
import {
  type Analysis,
  analyzeAll,
  type ReadItem,
  type RunReport,
  readRecording,
  readRecordings,
  unrecordedLimits,
} from "@sheepdog/records";
import { choosePolicy } from "../../config/policy/choose-policy.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, OutputError, write, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { jsonlReport, jsonReport } from "./json-report.ts";
import type { Reporter } from "./reporter.ts";
import { findOptionProblem, type SecondOpinionOptions, usesSecondOpinion } from "./second-opinion-options.ts";
import { openSecondOpinions } from "./second-opinions.ts";
import { skippedInside } from "./skipped-lines.ts";
import { tableReport } from "./table-report.ts";

/** The options of `sheepdog analyze`. */
export interface AnalyzeOptions extends SecondOpinionOptions {
  readonly json?: true;
  readonly jsonl?: true;
  readonly explain?: true;
  readonly policy?: string;
  readonly set?: readonly string[];
  readonly failOn?: Level | "any";
}

/** Analyzes recordings and prints what the guardian would have done. */
export async function analyzeCommand(paths: readonly string[], options: AnalyzeOptions, io: Io): Promise<number> {
  if (paths.length === 0 && io.stdin.isTTY) {
    await writeMessage(io, "no recordings given; name files or directories, or pipe one in: sheepdog analyze <path>");
    return exitCode.usage;
  }
  const chosen = await choosePolicy(options.policy, options.set);
  const optionProblem = findOptionProblem(options);
  if (!chosen.ok || optionProblem !== undefined) {
    const problems = [...(optionProblem === undefined ? [] : [optionProblem]), ...(chosen.ok ? [] : chosen.problems)];
    for (const problem of problems) await writeMessage(io, plainText(problem));
    return exitCode.usage;
  }
  await reportUnrecordedLimits(chosen.policy, io);
  const prepared = await prepare(paths.length === 0 ? ["-"] : paths, { options, policy: chosen.policy, io });
  if (!prepared.ok) return prepared.exitCode;
  const { analysis } = prepared;
  const failOn = { level: options.failOn, isMet: false };
  try {
    await printReport(analysis, { options, failOn, io });
    const isComplete = await prepared.end();
    if (analysis.totals.runs > 0) return reportExitCode(failOn.isMet, isComplete);
    await reportNoRuns(analysis, options, io);
    return exitCode.usage;
  } catch (error) {
    // The condition of --fail-on holds even if the reader did not read to the end.
    if (error instanceof OutputError && error.isReaderGone && failOn.isMet) return exitCode.findings;
    throw error;
  }
}

function reportExitCode(isFailOnMet: boolean, isComplete: boolean): number {
  if (isFailOnMet) return exitCode.findings;
  return isComplete ? exitCode.done : exitCode.failed;
}

type Prepared =
  | { readonly ok: true; readonly analysis: Analysis; end(): Promise<boolean> }
  | { readonly ok: false; readonly exitCode: number };

interface Preparation {
  readonly options: AnalyzeOptions;
  readonly policy: Policy;
  readonly io: Io;
}

/** Prepares the analysis, with second opinions if the options ask for them. */
async function prepare(paths: readonly string[], { options, policy, io }: Preparation): Promise<Prepared> {
  const read = () => readInputs(paths, io);
  if (!usesSecondOpinion(options)) return { ok: true, analysis: analyzeAll(read(), policy), end: async () => true };
  const opened = await openSecondOpinions({ options, policy, readsStdin: paths.includes("-"), read, io });
  if (!opened.ok) return opened;
  const { items, findOpinion, end, policy: asking } = opened.secondOpinions;
  return { ok: true, analysis: analyzeAll(items, asking, findOpinion), end };
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

async function* readInputs(paths: readonly string[], io: Io): AsyncGenerator<ReadItem> {
  if (paths.includes("-")) yield* readRecording(io.stdin, "stdin");
  yield* readRecordings(paths.filter((path) => path !== "-"));
}

interface Printing {
  readonly options: AnalyzeOptions;
  /** `isMet` is set as soon as a run meets the condition of `--fail-on`. */
  readonly failOn: { readonly level: AnalyzeOptions["failOn"]; isMet: boolean };
  readonly io: Io;
}

/** Prints each run as it is analyzed, and reports unreadable files when they come up. */
async function printReport(analysis: Analysis, { options, failOn, io }: Printing): Promise<void> {
  const reporter = reporterFor(options, io);
  for await (const item of analysis) {
    if (item.type === "run") {
      failOn.isMet ||= reachesLevel(item.report, failOn.level);
      await reporter.run(item);
    } else if (item.skipped.line === 0)
      await writeMessage(io, `${plainText(item.skipped.file)}: ${plainText(item.skipped.why)}`);
  }
  await reporter.end(analysis);
}

function reporterFor(options: AnalyzeOptions, io: Io): Reporter {
  if (options.json) return jsonReport(io.stdout);
  return options.jsonl ? jsonlReport(io) : tableReport(io, options.explain ?? false);
}

/** Whether a run has an intervention of this level or above. */
function reachesLevel(report: RunReport, level: Level | "any" | undefined): boolean {
  if (level === undefined) return false;
  const minRank = level === "any" ? 0 : levels.indexOf(level);
  return report.interventions.some((intervention) => levels.indexOf(intervention.level) >= minRank);
}

async function reportNoRuns(analysis: Analysis, options: AnalyzeOptions, io: Io): Promise<void> {
  if (!options.jsonl)
    for (const line of skippedInside(analysis.skipped, analysis.skippedCount)) await write(io.stderr, `${line}\n`);
  await writeMessage(io, "no readable run was found");
}
