import { runAsyncRounds } from "../measure/async-rounds.ts";
import type { BasicReport } from "../measure/report.ts";
import { row } from "../measure/row.ts";
import { save } from "../measure/save.ts";
import { missed, tableOf, thousands, verdict } from "../measure/table.ts";
import { runContestant } from "./contestants.ts";

const TURNS = 25;
const [off, on, content] = ["without tracing", "with tracing", "with tracing and content"] as const;
const contestants = [runContestant(off, "off"), runContestant(on, "on"), runContestant(content, "with content")];
const times = await runAsyncRounds({ contestants, warmUps: 10, rounds: 40, inputs: [TURNS] });

const report: BasicReport<"opentelemetry"> = {
  benchmark: "opentelemetry",
  date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  method:
    "Processor time of a run of 25 turns, stores in memory; contestants take turns; " +
    "each ratio is the median over rounds of the ratio within a round.",
  rows: [row(on, off, times.ratio(on, off), 1.5), row(content, off, times.ratio(content, off), 3)],
};
const perTurn = [on, content].map(
  (name) => `${name}: ${thousands((times.micros(name) - times.micros(off)) / TURNS)} µs more for each turn`,
);
process.stdout.write(
  [
    `OpenTelemetry, Node ${report.node}. ${report.method}`,
    "",
    ...tableOf(report.rows),
    "",
    "On this machine, now:",
    ...perTurn,
    "",
    verdict(report.rows),
    "",
  ].join("\n"),
);
save(report);
if (process.argv.includes("--check") && missed(report.rows).length > 0) process.exitCode = 1;
