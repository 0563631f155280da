import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import type { LookBack } from "../../look-back/look-back.ts";
import { countOutcomes, type SweepBy, stoppedRuns, sweepLimits, sweepPoints } from "../../look-back/sweep.ts";
import { currentLimit, limitToml, lowestCallLimit } from "../../look-back/sweep-settings.ts";
import { programName } from "../../program-name.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { chooseInput, type LookBackInput } from "./look-back-input.ts";
import { writeNoRuns } from "./no-runs.ts";
import { openLookBack } from "./open-look-back.ts";
import { piped } from "./piped-recording.ts";
import { scanProgress } from "./scan-progress.ts";
import { writeSkipped } from "./skipped-files.ts";
import { sweepLines } from "./sweep-lines.ts";
import type { SweepOptions } from "./sweep-options.ts";

/** Compares limits over recorded runs. */
export async function sweepCommand(given: readonly string[], options: SweepOptions, io: Io): Promise<number> {
  const source = await piped(given, io);
  const chosen = await chooseInput(source.paths, options, io);
  const limit = options.limit === undefined ? undefined : Number(options.limit.replace(/^\$/, ""));
  const by = options.by ?? "calls";
  const isLimitWrong = limit !== undefined && !isPossible(by, limit);
  const problems = [
    ...(chosen.ok ? [] : chosen.problems),
    ...(isLimitWrong
      ? [`--limit ${options.limit}: it must be a ${by === "cost" ? "" : "whole "}number of at least ${lowestLimit[by]}`]
      : []),
  ];
  for (const problem of problems) await writeMessage(io, plainText(problem));
  if (!chosen.ok || isLimitWrong) return exitCode.usage;
  const progress = scanProgress(io);
  const lookBack = await openLookBack(chosen.input, source.io, { onEvent: progress.onEvent }).finally(progress.end);
  if (lookBack.runs.length === 0 && options.json !== true)
    return writeNoRuns(lookBack, { input: chosen.input, options, io });
  await writeSweep(lookBack, { input: chosen.input, options, limit, io });
  await writeSkipped(lookBack, { options, io });
  return lookBack.runs.length === 0 && chosen.input.paths.length > 0 ? exitCode.usage : exitCode.done;
}

/** Money is set in cents, and 0 is no limit. */
const lowestLimit: Readonly<Record<SweepBy, number>> = { calls: lowestCallLimit, cost: 0.01, turns: 1 };

function isPossible(by: SweepBy, limit: number): boolean {
  return limit >= lowestLimit[by] && (by === "cost" ? Number.isFinite(limit) : Number.isSafeInteger(limit));
}

interface SweepSetup {
  readonly input: LookBackInput;
  readonly options: SweepOptions;
  /** The limit whose configuration is wanted. */
  readonly limit: number | undefined;
  readonly io: Io;
}

async function writeSweep(lookBack: LookBack, { input, options, limit, io }: SweepSetup): Promise<void> {
  const { runs } = lookBack;
  const by = options.by ?? "calls";
  const current = currentLimit(by, input.policy, input.config);
  const limits = sweepLimits(runs, by, current).filter((each) => by !== "calls" || each >= lowestCallLimit);
  const all = limit === undefined || limits.includes(limit) ? limits : [...limits, limit].toSorted((a, b) => a - b);
  const points = sweepPoints(runs, by, all).map((point) => ({ ...point, stopped: stoppedRuns(runs, by, point.limit) }));
  const outcomes = countOutcomes(runs);
  if (options.json) {
    const toml = limit === undefined ? null : tomlOf(by, limit);
    const { good: goodRuns, bad: badRuns, unknown: unknownRuns } = outcomes;
    const counts = { runs: runs.length, goodRuns, badRuns, unknownRuns };
    const document = { schemaVersion: 1, by, currentLimit: current, ...counts, points, toml };
    await write(io.stdout, `${jsonText(document)}\n`);
    return;
  }
  const program = programName(io.env);
  const table = { by, points, current, runs, outcomes, wanted: limit, program, tomlOf: (of: number) => tomlOf(by, of) };
  const lines = sweepLines(table, io);
  await write(io.stdout, `${lines.join("\n")}\n`);
}

/** The configuration that sets a limit. Money is written in cents. */
function tomlOf(by: NonNullable<SweepOptions["by"]>, limit: number): string {
  const amount = by === "cost" ? Math.round(limit * 100) : limit;
  return limitToml[by].replaceAll("{limit}", String(amount)).trimEnd();
}
