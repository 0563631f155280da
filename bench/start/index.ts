import { save } from "../measure/save.ts";
import { missed } from "../measure/table.ts";
import { absolutes, asTable, type Report } from "./report.ts";
import { measure } from "./rounds.ts";
import { startRows } from "./rows.ts";

console.error("bench: how long a start takes (a minute or two: other agents take long)");
const measured = measure({ warmUps: 2, rounds: 31, peerRounds: 5 });

const report: Report = {
  benchmark: "start",
  date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  method:
    "Time on the clock from start to end; everybody is started in turn; each ratio is the median over rounds of the ratio within a round.",
  rows: startRows(measured),
  absolute: absolutes(measured),
};
process.stdout.write(asTable(report));
save(report);
if (process.argv.includes("--check") && missed(report.rows).length > 0) process.exitCode = 1;
