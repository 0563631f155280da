import { median } from "../measure/median.ts";
import type { BasicReport } from "../measure/report.ts";
import { aligned, tableOf, thousands, verdict } from "../measure/table.ts";
import type { Taken } from "./child.ts";
import { windowTurns } from "./meter.ts";
import { longTurns, type Measured, shortTurns } from "./rounds.ts";

/** What a contestant took, for those who want to know how large the numbers behind the ratios are. */
export interface Absolute {
  readonly name: string;
  /** Of the first 200 turns of a fresh process; null where that was not played. */
  readonly microsPerTurnFirst: number | null;
  readonly microsPerTurn: number;
  readonly microsPerTurnLong: number;
  readonly heldMegabytes: number | null;
  readonly peakMegabytes: number | null;
}

/** All that was measured. */
export interface Report extends BasicReport<"loop"> {
  readonly absolute: readonly Absolute[];
  readonly abortMs: number;
}

export function absolutes({ short, long, memory }: Measured): readonly Absolute[] {
  return [...short].map(([name, taken]) => ({
    name,
    microsPerTurnFirst: first(memory.get(name), long.get(name)?.[0]),
    microsPerTurn: median(taken.map(({ total }) => total)) / shortTurns,
    microsPerTurnLong: median((long.get(name) ?? []).map(({ total }) => total)) / longTurns,
    heldMegabytes: megabytes(memory.get(name)?.heldBytes),
    peakMegabytes: megabytes(memory.get(name)?.peakBytes),
  }));
}

/** The report as a table for people. */
export function asTable(report: Report): string {
  const cells = report.absolute.map(
    ({ name, microsPerTurnFirst, microsPerTurn, microsPerTurnLong, heldMegabytes, peakMegabytes }) => [
      name,
      microsPerTurnFirst === null ? "–" : thousands(microsPerTurnFirst),
      thousands(microsPerTurn),
      thousands(microsPerTurnLong),
      heldMegabytes?.toFixed(1) ?? "–",
      peakMegabytes?.toFixed(0) ?? "–",
    ],
  );
  return [
    `Loop, Node ${report.node}. ${report.method}`,
    "",
    ...tableOf(report.rows),
    "",
    "On this machine, now:",
    ...aligned(
      [["", "µs a turn, cold", "200", "2,000", "MB held after 2,000", "MB at most (RSS)"], ...cells],
      [1, 2, 3, 4, 5],
    ),
    "",
    `cancel() with a tool that hangs: ended after ${report.abortMs.toFixed(1)} ms at most (50 is the aim)`,
    "",
    verdict(report.rows),
    "",
  ].join("\n");
}

/** Who was weighed in the process that is warm already has not played in a fresh one. */
function first(weighed: Taken | undefined, warm: Taken | undefined): number | null {
  const micros = weighed === warm ? undefined : weighed?.windows[0];
  return micros === undefined ? null : micros / windowTurns;
}

function megabytes(bytes: number | undefined): number | null {
  return bytes === undefined ? null : bytes / 1e6;
}
