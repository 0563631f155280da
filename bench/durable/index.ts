import { save } from "../measure/save.ts";
import { missed } from "../measure/table.ts";
import { measureCrashes } from "./crash.ts";
import { measureDiskWrites } from "./disk-writes.ts";
import { measureLoading } from "./loading.ts";
import { absolutes, asTable, loadMillis, type Report } from "./report.ts";
import { measure } from "./rounds.ts";
import { durableRows } from "./rows.ts";

console.error("bench: the cost of a durable turn (some minutes: one peer writes the whole conversation at every step)");
const measured = await measure({ warmUps: 30, rounds: 9, longRounds: 5 });
console.error("bench: what a turn writes to the disk");
const diskWrites = measureDiskWrites();
console.error("bench: the time it takes to load a session");
const loading = await measureLoading();
console.error("bench: a process that is killed during a call");

const report: Report = {
  benchmark: "durable",
  date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  method:
    "Databases on a disk, new for each round; contestants take turns, each in a process of its own; " +
    "each ratio is the median over rounds of the ratio within a round.",
  rows: [...durableRows(measured), ...diskWrites.rows, ...loading.rows],
  absolute: absolutes(measured),
  diskWrites: diskWrites.writes,
  loadMillis: loadMillis(loading.loads),
  crashes: await measureCrashes(),
};
process.stdout.write(asTable(report));
save(report);
if (process.argv.includes("--check") && missed(report.rows).length > 0) process.exitCode = 1;
