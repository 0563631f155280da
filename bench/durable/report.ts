import { median } from "../measure/median.ts";
import type { BasicReport } from "../measure/report.ts";
import { aligned, tableOf, thousands, verdict } from "../measure/table.ts";
import type { Crash } from "./crash.ts";
import type { DiskWrites } from "./disk-writes.ts";
import type { Load } from "./loading-child.ts";
import type { Measured } from "./rounds.ts";

/** Absolute numbers of a contestant. */
export interface Absolute {
  readonly name: string;
  readonly turns: number;
  readonly rounds: number;
  readonly cpuMicrosPerTurn: number;
  readonly clockMicrosPerTurn: number;
  readonly databaseBytesPerTurn: number;
}

/** Everything that was measured. */
export interface Report extends BasicReport<"durable"> {
  readonly absolute: readonly Absolute[];
  readonly diskWrites: readonly DiskWrites[];
  readonly loadMillis: number;
  readonly crashes: readonly Crash[];
}

/** Medians of the measured times and sizes. */
export function absolutes({ byTurns }: Measured): readonly Absolute[] {
  return [...byTurns].flatMap(([turns, measurements]) =>
    [...measurements].map(([name, all]) => ({
      name,
      turns,
      rounds: all.length,
      cpuMicrosPerTurn: median(all.map(({ cpuMicros }) => cpuMicros)) / turns,
      clockMicrosPerTurn: median(all.map(({ clockMicros }) => clockMicros)) / turns,
      databaseBytesPerTurn: median(all.map(({ databaseBytes }) => databaseBytes)) / turns,
    })),
  );
}

/** Milliseconds in which the store loads a session. */
export function loadMillis(loads: readonly Load[]): number {
  return median(loads.map(({ loadClockMicros }) => loadClockMicros)) / 1_000;
}

/** The report as a text table. */
export function asTable(report: Report): string {
  const costHead = ["", "turns", "CPU µs a turn", "clock µs a turn", "database bytes a turn"];
  const costs = report.absolute.map((each) => [
    each.name,
    ...[each.turns, each.cpuMicrosPerTurn, each.clockMicrosPerTurn, each.databaseBytesPerTurn].map(thousands),
  ]);
  const writeHead = ["", "tool", "written bytes a turn", "JSON of the history a turn", "JSON of the checkpoint"];
  const writes = report.diskWrites.map((each) => [
    each.name,
    each.kind === "read" ? "reads" : "changes",
    ...[each.writtenBytes, each.historyBytes, each.checkpointBytes].map(thousands),
  ]);
  const crashHead = ["", "continued by", "effects", "request with an unanswered call", "result sent to the model"];
  return [
    `Durable, Node ${report.node}. ${report.method}`,
    "",
    ...tableOf(report.rows),
    "",
    "On this machine, now:",
    ...aligned([costHead, ...costs], [1, 2, 3, 4]),
    `A session of 500 turns is loaded in ${report.loadMillis.toFixed(1)} ms.`,
    "",
    "Written to the disk:",
    ...aligned([writeHead, ...writes], [2, 3, 4]),
    "",
    "Killed inside a tool that had changed something, and continued in another process:",
    ...aligned([crashHead, ...report.crashes.map(crashCells)], [2]),
    "",
    verdict(report.rows),
    "",
  ].join("\n");
}

function crashCells({ name, how, effects, hasUnansweredCall, result, problem }: Crash): readonly string[] {
  const unanswered = hasUnansweredCall ? "yes" : "no";
  return [
    name,
    how,
    effects?.toString() ?? "–",
    hasUnansweredCall === null ? "–" : unanswered,
    problem ?? result?.slice(0, 80) ?? "none",
  ];
}
