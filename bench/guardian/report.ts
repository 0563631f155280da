import { mkdirSync, writeFileSync } from "node:fs";
import type { Listening } from "./chant.ts";
import type { StateSize } from "./growth.ts";
import type { Throughput } from "./replay.ts";
import type { Row } from "./row.ts";

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
  const cells = [["what", "to", "ratio", "middle half", "goal", ""], ...report.rows.map(cellsOf)];
  const widths = (cells[0] as string[]).map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0))); // the heading is there
  const lines = cells.map((line) =>
    line
      .map((cell, column) => (column === 2 || column === 4 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  const sizes = report.stateSizes.map(({ calls, characters }) => `${thousands(characters)} characters after ${thousands(calls)} calls`);
  return [
    `Guardian, Node ${report.node}. ${report.method}`,
    "",
    ...lines,
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

/** The rows that cost more than they may. */
export function missed(rows: readonly Row[]): readonly Row[] {
  return rows.filter((row) => row.isMet === false);
}

function cellsOf(row: Row): string[] {
  if (row.ratio === null) return [row.what, row.to, "–", "", "", row.note ?? ""];
  const { median, low, high } = row.ratio;
  const goal = row.goal === undefined ? "" : `≤ ${row.goal < 0.1 ? row.goal : row.goal.toFixed(1)}`;
  return [row.what, row.to, digits(median), `${digits(low)} … ${digits(high)}`, goal, row.isMet === undefined ? "" : row.isMet ? "met" : "MISSED"];
}

function verdict(rows: readonly Row[]): string {
  const goals = rows.filter((row) => row.goal !== undefined).length;
  const over = missed(rows).length;
  return over === 0 ? `All ${goals} goals met.` : `${over} of ${goals} goals MISSED.`;
}

function listeningLine({ what, deltaSize, microsPerDelta, nanosPerCharacter }: Listening): string {
  return `listening to ${what}: ${microsPerDelta.toFixed(2)} µs a delta of ${deltaSize}, ${thousands(nanosPerCharacter)} ns a character (on this machine, now)`;
}

function throughputLine({ runs, calls, runsPerSecond, callsPerSecond }: Throughput): string {
  return `replay: ${thousands(runs)} runs with ${thousands(calls)} calls at about ${thousands(runsPerSecond)} runs and ${thousands(callsPerSecond)} calls a second (on this machine, now)`;
}

function thousands(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Two digits behind the point are more than a ratio deserves, unless nothing would be left of it. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(digits(value)) : value;
}

function digits(value: number): string {
  return Math.abs(value) < 0.1 ? Number(value.toPrecision(2)).toString() : value.toFixed(2);
}
