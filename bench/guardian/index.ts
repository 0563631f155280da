import { save } from "../measure/save.ts";
import { missed } from "../measure/table.ts";
import { bundleRow } from "./bundle-size.ts";
import { costRows } from "./cost.ts";
import { growth } from "./growth.ts";
import { redactionRows } from "./redaction.ts";
import { replay } from "./replay.ts";
import { asTable, type Report } from "./report.ts";
import { streamRows } from "./streamed-text.ts";

console.error("bench: the cost of a call");
const costs = await costRows();
console.error("bench: the cost late in a session");
const { row: growthRow, stateSizes } = growth();
console.error("bench: streamed text");
const streams = await streamRows();
console.error("bench: redaction");
const redaction = await redactionRows();
console.error("bench: replay of recordings");
const { row: replayRow, throughput } = replay();

const report: Report = {
  benchmark: "guardian",
  date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  method:
    "Processor time; contestants take turns on the same new inputs; " +
    "each ratio is the median over rounds of the ratio within a round.",
  rows: [...costs, growthRow, ...streams.rows, ...redaction, replayRow, await bundleRow()],
  stateSizes,
  streams: streams.costs,
  throughput,
};
process.stdout.write(asTable(report));
save(report);
if (process.argv.includes("--check") && missed(report.rows).length > 0) process.exitCode = 1;
