import type { BasicReport } from "../measure/report.ts";
import { tableOf, thousands, verdict } from "../measure/table.ts";
import type { StateSize } from "./growth.ts";
import type { Throughput } from "./replay.ts";
import type { StreamCost } from "./streamed-text.ts";

/** Everything that was measured. */
export interface Report extends BasicReport<"guardian"> {
  readonly stateSizes: readonly StateSize[];
  readonly streams: readonly StreamCost[];
  readonly throughput: Throughput | null;
}

/** The report as a text table. */
export function asTable(report: Report): string {
  const sizes = report.stateSizes.map(
    ({ calls, characters }) => `${thousands(characters)} characters after ${thousands(calls)} calls`,
  );
  return [
    `Guardian, Node ${report.node}. ${report.method}`,
    "",
    ...tableOf(report.rows),
    "",
    `saved state: ${sizes.join(", ")}`,
    "On this machine, now:",
    ...report.streams.map(streamLine),
    ...(report.throughput === null ? [] : [throughputLine(report.throughput)]),
    "",
    verdict(report.rows),
    "",
  ].join("\n");
}

function streamLine({ what, deltaSize, microsPerDelta, nanosPerCharacter }: StreamCost): string {
  const perDelta = `${microsPerDelta.toFixed(2)} µs a delta of ${deltaSize}`;
  return `streamed ${what}: ${perDelta}, ${thousands(nanosPerCharacter)} ns a character`;
}

function throughputLine({ runs, calls, runsPerSecond, callsPerSecond }: Throughput): string {
  const speed = `about ${thousands(runsPerSecond)} runs and ${thousands(callsPerSecond)} calls a second`;
  return `replay: ${thousands(runs)} runs with ${thousands(calls)} calls, ${speed}`;
}
