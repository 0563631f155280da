import { median } from "../measure/median.ts";
import type { BasicReport } from "../measure/report.ts";
import { aligned, tableOf, thousands, verdict } from "../measure/table.ts";
import type { Measured } from "./rounds.ts";

/** What a start took, for those who want to know how large the numbers behind the ratios are. */
export interface Absolute {
  readonly name: string;
  readonly rounds: number;
  readonly millis: number;
}

/** All that was measured. */
export interface Report extends BasicReport<"start"> {
  readonly absolute: readonly Absolute[];
}

export function absolutes({ millis }: Measured): readonly Absolute[] {
  return [...millis].map(([name, taken]) => ({ name, rounds: taken.length, millis: median(taken) }));
}

/** The report as a table for people. */
export function asTable(report: Report): string {
  return [
    `Start, Node ${report.node}. ${report.method}`,
    "",
    ...tableOf(report.rows),
    "",
    "On this machine, now:",
    ...aligned(
      [
        ["", "ms", "rounds"],
        ...report.absolute.map(({ name, millis, rounds }) => [name, thousands(millis), thousands(rounds)]),
      ],
      [1, 2],
    ),
    "",
    verdict(report.rows),
    "",
  ].join("\n");
}
