import type { BasicReport } from "../measure/report.ts";
import { save } from "../measure/save.ts";
import { aligned, missed, tableOf, thousands, verdict } from "../measure/table.ts";
import { frameworks } from "./frameworks/index.ts";
import { type Measured, measureFramework } from "./measure.ts";

const measured: Measured[] = [];
for (const framework of frameworks) {
  console.error(`bench: ${framework.name}`);
  measured.push(await measureFramework(framework));
}

interface Report extends BasicReport<"guards"> {
  /** Microseconds a call on one machine at one time. */
  readonly absolute: readonly Omit<Measured, "rows">[];
}

const report: Report = {
  benchmark: "guards",
  date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  method:
    "Processor time of runs of 50 turns with one call each and a scripted model, without and with the guard in turn; " +
    "each ratio is the median over rounds of the ratio within a round.",
  rows: measured.flatMap(({ rows }) => rows),
  absolute: measured.map(({ rows: _, ...micros }) => micros),
};
const micros = (value: number | undefined) => (value === undefined ? "–" : thousands(value));
const absolute = measured.map(({ name, plainMicros, addedMicros, aloneMicros }) => [
  name,
  micros(plainMicros),
  micros(addedMicros),
  micros(aloneMicros),
]);
process.stdout.write(
  [
    `Guards in frameworks, Node ${report.node}. ${report.method}`,
    "",
    ...tableOf(report.rows),
    "",
    "On this machine, now, in microseconds a call:",
    ...aligned([["", "without", "added", "guard alone"], ...absolute], [1, 2, 3]),
    "",
    verdict(report.rows),
    "",
  ].join("\n"),
);
save(report);
if (process.argv.includes("--check") && missed(report.rows).length > 0) process.exitCode = 1;
