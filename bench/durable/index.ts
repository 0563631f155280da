import { save } from "../measure/save.ts";
import { missed } from "../measure/table.ts";
import { crashes } from "./crash.ts";
import { absolutes, asTable, loadMillis, type Report } from "./report.ts";
import { measureResume } from "./resume.ts";
import { measure } from "./rounds.ts";
import { durableRows } from "./rows.ts";
import { syncRows } from "./syncs.ts";

console.error("bench: what a durable turn costs (some minutes: a peer writes all that was said with every step)");
const measured = await measure({ warmUps: 30, rounds: 9, longRounds: 5 });
console.error("bench: how often a turn syncs");
const syncs = syncRows();
console.error("bench: how long it takes to load a session");
const resumed = await measureResume();
console.error("bench: what becomes of a call when its process is killed");

const report: Report = {
  benchmark: "durable",
  date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  method:
    "Databases on a disk, new for each round; contestants take turns, each in a process of its own; ratios are medians over rounds of the ratio within one.",
  rows: [...durableRows(measured), ...syncs, ...resumed.rows],
  absolute: absolutes(measured),
  loadMillis: loadMillis(resumed.load),
  crashes: await crashes(),
};
process.stdout.write(asTable(report));
save(report);
if (process.argv.includes("--check") && missed(report.rows).length > 0) process.exitCode = 1;
