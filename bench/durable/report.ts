import { median } from "../measure/median.ts";
import type { BasicReport } from "../measure/report.ts";
import { aligned, tableOf, thousands, verdict } from "../measure/table.ts";
import type { Crash } from "./crash.ts";
import type { Loaded } from "./resume-child.ts";
import type { Measured } from "./rounds.ts";

/** What a contestant took, for those who want to know how large the numbers behind the ratios are. */
export interface Absolute {
  readonly name: string;
  readonly turns: number;
  readonly rounds: number;
  readonly cpuMicrosPerTurn: number;
  readonly clockMicrosPerTurn: number;
  readonly databaseBytesPerTurn: number;
}

/** All that was measured. */
export interface Report extends BasicReport<"durable"> {
  readonly absolute: readonly Absolute[];
  readonly loadMillis: number;
  readonly crashes: readonly Crash[];
}

export function absolutes({ taken }: Measured): readonly Absolute[] {
  return [...taken].flatMap(([turns, rounds]) =>
    [...rounds].map(([name, all]) => ({
      name,
      turns,
      rounds: all.length,
      cpuMicrosPerTurn: median(all.map(({ total }) => total)) / turns,
      clockMicrosPerTurn: median(all.map(({ wall }) => wall)) / turns,
      databaseBytesPerTurn: median(all.map(({ databaseBytes }) => databaseBytes)) / turns,
    })),
  );
}

/** Milliseconds on the clock that a session took to load. */
export function loadMillis(load: readonly Loaded[]): number {
  return median(load.map(({ loadWall }) => loadWall)) / 1_000;
}

/** The report as a table for people. */
export function asTable(report: Report): string {
  const cells = report.absolute.map(({ name, turns, cpuMicrosPerTurn, clockMicrosPerTurn, databaseBytesPerTurn }) => [
    name,
    thousands(turns),
    thousands(cpuMicrosPerTurn),
    thousands(clockMicrosPerTurn),
    thousands(databaseBytesPerTurn),
  ]);
  return [
    `Durable, Node ${report.node}. ${report.method}`,
    "",
    ...tableOf(report.rows),
    "",
    "On this machine, now:",
    ...aligned([["", "turns", "CPU µs a turn", "clock µs a turn", "database bytes a turn"], ...cells], [1, 2, 3, 4]),
    `A session of 500 turns is loaded in ${report.loadMillis.toFixed(1)} ms.`,
    "",
    "Killed inside a tool that had changed something, and gone on with in another process:",
    ...aligned(
      [
        ["", "by", "times it was done", "call without result seen", "the model was told"],
        ...report.crashes.map(crashCells),
      ],
      [2],
    ),
    "",
    verdict(report.rows),
    "",
  ].join("\n");
}

function crashCells({ name, how, effects, hasDanglingCall, told, problem }: Crash): readonly string[] {
  const seen = hasDanglingCall === null ? "–" : hasDanglingCall ? "yes" : "no";
  return [name, how, effects?.toString() ?? "–", seen, problem ?? told?.slice(0, 80) ?? "nothing"];
}
