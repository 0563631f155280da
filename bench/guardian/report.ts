import { mkdirSync, writeFileSync } from "node:fs";
import type { Row } from "../measure/row.ts";
import { rounded, tableOf, thousands, verdict } from "../measure/table.ts";
import type { Listening } from "./chant.ts";
import type { StateSize } from "./growth.ts";
import type { Throughput } from "./replay.ts";

/** All that was measured. Names no machine: ratios hold elsewhere, times do not. */
export interface Report {
  readonly benchmark: "guardian";
  readonly date: string;
  readonly node: string;
  readonly method: string;
  readonly rows: readonly Row[];
  readonly stateSizes: readonly StateSize[];
  readonly listening: readonly Listening[];
  readonly throughput: Throughput | null;
}

/** The report as a table for people. */
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
    ...report.listening.map(listeningLine),
    ...(report.throughput === null ? [] : [throughputLine(report.throughput)]),
    "",
    verdict(report.rows),
    "",
  ].join("\n");
}

/** Keeps the report for docs and for comparing with later ones. */
export function save(report: Report): void {
  const folder = new URL("../results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("guardian.json", folder), `${JSON.stringify(report, rounded, 2)}\n`);
}

function listeningLine({ what, deltaSize, microsPerDelta, nanosPerCharacter }: Listening): string {
  return `listening to ${what}: ${microsPerDelta.toFixed(2)} µs a delta of ${deltaSize}, ${thousands(nanosPerCharacter)} ns a character (on this machine, now)`;
}

function throughputLine({ runs, calls, runsPerSecond, callsPerSecond }: Throughput): string {
  return `replay: ${thousands(runs)} runs with ${thousands(calls)} calls at about ${thousands(runsPerSecond)} runs and ${thousands(callsPerSecond)} calls a second (on this machine, now)`;
}
