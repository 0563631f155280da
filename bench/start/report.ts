import { median } from "../measure/median.ts";
import type { BasicReport } from "../measure/report.ts";
import { aligned, tableOf, thousands, verdict } from "../measure/table.ts";
import type { FlagTimes } from "./flags/rounds.ts";
import type { MeasuredRuns } from "./runs/measure.ts";

/** A start with a flag, in milliseconds. */
interface FlagStart {
  readonly name: string;
  readonly rounds: number;
  readonly millis: number;
}

/** A complete run, in milliseconds. */
interface CompleteRun {
  readonly name: string;
  readonly rounds: number;
  readonly firstRequestMs: number;
  readonly cpuMs: number;
  readonly clockMs: number;
  readonly otherRequests: number;
}

/** Everything that was measured. */
export interface Report extends BasicReport<"start"> {
  readonly flagStarts: readonly FlagStart[];
  readonly completeRuns: readonly CompleteRun[];
  /** False where the system does not allow a process without a network. */
  readonly isNetworkCutOff: boolean;
}

/** Medians of the starts with a flag. */
export function flagStarts({ millis }: FlagTimes): readonly FlagStart[] {
  return [...millis].map(([name, times]) => ({ name, rounds: times.length, millis: median(times) }));
}

/** Medians of the complete runs. */
export function completeRuns({ runs }: MeasuredRuns): readonly CompleteRun[] {
  return Object.entries(runs).map(([name, all]) => ({
    name,
    rounds: all.length,
    firstRequestMs: median(all.map(({ firstRequestMs }) => firstRequestMs)),
    cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
    clockMs: median(all.map(({ clockMs }) => clockMs)),
    otherRequests: median(all.map(({ otherRequests }) => otherRequests)),
  }));
}

/** The report as a text table. */
export function asTable(report: Report): string {
  const starts = report.flagStarts.map(({ name, millis, rounds }) => [name, thousands(millis), thousands(rounds)]);
  const runs = report.completeRuns.map((run) => [
    run.name,
    ...[run.firstRequestMs, run.cpuMs, run.clockMs, run.otherRequests, run.rounds].map(thousands),
  ]);
  const runHead = ["", "first request, ms", "CPU, ms", "clock, ms", "other requests", "rounds"];
  return [
    `Start, Node ${report.node}. ${report.method}`,
    "",
    ...tableOf(report.rows),
    "",
    "On this machine, now:",
    ...aligned([["", "ms", "rounds"], ...starts], [1, 2]),
    "",
    "Complete runs of 25 turns, on this machine, now:",
    ...aligned([runHead, ...runs], [1, 2, 3, 4, 5]),
    report.isNetworkCutOff
      ? "The agents had no network but loopback, and orphaned processes of theirs are counted."
      : "The network was not cut off here, and orphaned processes of the agents are not counted.",
    "",
    verdict(report.rows),
    "",
  ].join("\n");
}
