import type { Level, Policy } from "@sheepdog/guardian";
import {
  type Analysis,
  analyzeAll,
  type ReadItem,
  readRecordings,
  readTrajectory,
  unrecordedLimits,
} from "@sheepdog/records";
import { choosePolicy } from "../../config/policy/choose-policy.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, OutputError, write, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { isFailing } from "./fail-on.ts";
import { jsonReport } from "./json-report.ts";
import { jsonlReport } from "./jsonl-report.ts";
import type { Reporter } from "./reporter.ts";
import { skippedInside } from "./skipped-lines.ts";
import { tableReport } from "./table-report.ts";

/** The options of `sheepdog analyze`. */
export interface AnalyzeOptions {
  readonly json?: true;
  readonly jsonl?: true;
  readonly explain?: true;
  readonly policy?: string;
  readonly set?: readonly string[];
  readonly failOn?: Level | "any";
}

/** Looks back over recordings and prints what the guardian would have said. */
export async function analyzeCommand(paths: readonly string[], options: AnalyzeOptions, io: Io): Promise<number> {
  if (paths.length === 0 && io.stdin.isTTY) {
    await writeMessage(
      io,
      "name the recordings to look at (files or directories), or pipe one in; `sheepdog analyze --help` says more",
    );
    return exitCode.usage;
  }
  const chosen = await choosePolicy(options.policy, options.set);
  if (!chosen.ok) {
    for (const problem of chosen.problems) await writeMessage(io, plainText(problem));
    return exitCode.usage;
  }
  await sayUntold(chosen.policy, io);
  const analysis = analyzeAll(readInputs(paths.length === 0 ? ["-"] : paths, io), chosen.policy);
  const condition = { isMet: false };
  try {
    await report(analysis, condition, options, io);
    if (analysis.totals.runs > 0) return condition.isMet ? exitCode.findings : exitCode.done;
    await sayNothingReadable(analysis, options, io);
    return exitCode.usage;
  } catch (error) {
    if (error instanceof OutputError && error.isReaderGone && condition.isMet) return exitCode.findings; // true whether or not it was read to the end
    throw error;
  }
}

/** A limit that nobody looks at must not seem to hold. */
async function sayUntold(policy: Policy, io: Io): Promise<void> {
  const limits = unrecordedLimits(policy);
  if (limits.length === 0) return;
  const [which, are, them] = limits.length === 1 ? ["the limit", "is", "it"] : ["the limits", "are", "them"];
  await writeMessage(
    io,
    `${which} ${limits.join(", ")} ${are} not looked at: recordings do not tell how much of ${them} was used`,
  );
}

async function* readInputs(paths: readonly string[], io: Io): AsyncGenerator<ReadItem> {
  if (paths.includes("-")) yield* readTrajectory(io.stdin, "stdin");
  yield* readRecordings(paths.filter((path) => path !== "-"));
}

function reporterFor(options: AnalyzeOptions, io: Io): Reporter {
  if (options.json) return jsonReport(io.stdout);
  return options.jsonl ? jsonlReport(io) : tableReport(io, options.explain ?? false);
}

/** Prints all there is, tells of files that cannot be read as they come up, and notes as soon as the condition of `--fail-on` is met. */
async function report(
  analysis: Analysis,
  condition: { isMet: boolean },
  options: AnalyzeOptions,
  io: Io,
): Promise<void> {
  const reporter = reporterFor(options, io);
  for await (const each of analysis) {
    if (each.type === "run") {
      condition.isMet ||= isFailing(each.report, options.failOn);
      await reporter.run(each);
    } else if (each.skipped.line === 0)
      await writeMessage(io, `${plainText(each.skipped.file)}: ${plainText(each.skipped.why)}`);
  }
  await reporter.end(analysis);
}

async function sayNothingReadable(analysis: Analysis, options: AnalyzeOptions, io: Io): Promise<void> {
  if (!options.jsonl)
    for (const line of skippedInside(analysis.skipped, analysis.skippedCount)) await write(io.stderr, `${line}\n`);
  await writeMessage(io, "there was no run to read");
}
