import { missed } from "../measure/table.ts";
import { chantRows } from "./chant.ts";
import { costRows } from "./cost.ts";
import { growth } from "./growth.ts";
import { replay } from "./replay.ts";
import { asTable, type Report, save } from "./report.ts";

console.error("bench: what a call costs");
const cost = await costRows();
console.error("bench: whether that grows");
const grown = growth();
console.error("bench: listening to streams");
const chant = await chantRows();
console.error("bench: replay of recordings");
const replayed = replay();

const report: Report = {
  benchmark: "guardian",
  date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  method:
    "Processor time; contestants take turns on the same fresh inputs; each ratio is the median over rounds of the ratio within a round.",
  rows: [...cost, grown.row, ...chant.rows, replayed.row],
  stateSizes: grown.stateSizes,
  listening: chant.listening,
  throughput: replayed.throughput,
};
process.stdout.write(asTable(report));
save(report);
if (process.argv.includes("--check") && missed(report.rows).length > 0) process.exitCode = 1;
