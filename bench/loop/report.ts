import { median } from "../measure/median.ts";
import type { BasicReport } from "../measure/report.ts";
import { aligned, tableOf, thousands, verdict } from "../measure/table.ts";
import type { Measurement } from "./child.ts";
import { coldTurns, longTurns, type Measured, shortTurns } from "./rounds.ts";

/** Absolute numbers of a contestant; null where it was not measured. */
export interface Absolute {
  readonly name: string;
  /** Of the first 25 turns of a fresh process, without loading. */
  readonly microsPerTurnCold: number | null;
  readonly loadMillis: number | null;
  readonly microsPerTurn: number;
  readonly microsPerTurnLong: number;
  readonly heldMegabytes: number | null;
  readonly peakMegabytes: number | null;
}

/** Everything that was measured. */
export interface Report extends BasicReport<"loop"> {
  readonly absolute: readonly Absolute[];
  readonly abortMs: number;
}

/** Medians of the measured times and sizes. */
export function absolutes({ short, long, cold, memory }: Measured): readonly Absolute[] {
  return [...short].map(([name, measurements]) => ({
    name,
    microsPerTurnCold: medianOf(cold.get(name), ({ cpuMicros }) => cpuMicros / coldTurns),
    loadMillis: medianOf(cold.get(name), ({ loadMicros }) => loadMicros / 1_000),
    microsPerTurn: median(measurements.map(({ cpuMicros }) => cpuMicros)) / shortTurns,
    microsPerTurnLong: median((long.get(name) ?? []).map(({ cpuMicros }) => cpuMicros)) / longTurns,
    heldMegabytes: megabytes(memory.get(name)?.heldBytes),
    peakMegabytes: megabytes(memory.get(name)?.peakBytes),
  }));
}

/** The report as a text table. */
export function asTable(report: Report): string {
  const head = ["", "load, ms", "µs a turn, cold", "200", "2,000", "MB held after 2,000", "MB at most (RSS)"];
  const lines = report.absolute.map((each) => [
    each.name,
    ...[each.loadMillis, each.microsPerTurnCold, each.microsPerTurn, each.microsPerTurnLong].map((value) =>
      value === null ? "–" : thousands(value),
    ),
    each.heldMegabytes?.toFixed(1) ?? "–",
    each.peakMegabytes?.toFixed(0) ?? "–",
  ]);
  return [
    `Loop, Node ${report.node}. ${report.method}`,
    "",
    ...tableOf(report.rows),
    "",
    "On this machine, now:",
    ...aligned([head, ...lines], [1, 2, 3, 4, 5, 6]),
    "",
    `cancel() with a tool that hangs: ended after ${report.abortMs.toFixed(1)} ms at most (50 is the aim)`,
    "",
    verdict(report.rows),
    "",
  ].join("\n");
}

function medianOf(
  measurements: readonly Measurement[] | undefined,
  value: (measurement: Measurement) => number,
): number | null {
  return measurements === undefined ? null : median(measurements.map(value));
}

function megabytes(bytes: number | undefined): number | null {
  return bytes === undefined ? null : bytes / 1e6;
}
