import { save } from "../measure/save.ts";
import { missed } from "../measure/table.ts";
import { measureDecisions } from "./decisions.ts";
import { asTable, type Report } from "./report.ts";

console.error("bench: the cost of a decision");
const { rows, costs } = await measureDecisions();

const report: Report = {
  benchmark: "gate",
  date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  method:
    "Processor time; contestants take turns on the same commands; " +
    "each ratio is the median over rounds of the ratio within a round.",
  rows,
  costs,
};
process.stdout.write(asTable(report));
save(report);
if (process.argv.includes("--check") && missed(report.rows).length > 0) process.exitCode = 1;
