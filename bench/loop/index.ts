import { save } from "../measure/save.ts";
import { missed } from "../measure/table.ts";
import { abortMs } from "./abort.ts";
import { deltaRows } from "./deltas.ts";
import { absolutes, asTable, type Report } from "./report.ts";
import { measure } from "./rounds.ts";
import { loopRows } from "./rows.ts";

console.error("bench: the cost of a turn (some minutes: one peer is slow with 2,000 turns)");
const measured = await measure({ warmUps: 30, rounds: 9, longRounds: 7, coldRounds: 11 });
console.error("bench: the cost of streaming to listeners");
const deltas = await deltaRows();
console.error("bench: the time a cancelled run takes to end");

const report: Report = {
  benchmark: "loop",
  date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  method:
    "Processor time; contestants take turns, each in a process of its own; " +
    "each ratio is the median over rounds of the ratio within a round.",
  rows: [...loopRows(measured), ...deltas],
  absolute: absolutes(measured),
  abortMs: await abortMs(),
};
process.stdout.write(asTable(report));
save(report);
if (process.argv.includes("--check") && missed(report.rows).length > 0) process.exitCode = 1;
