import { runAsyncRounds } from "../measure/async-rounds.ts";
import type { BasicReport } from "../measure/report.ts";
import { row } from "../measure/row.ts";
import { save } from "../measure/save.ts";
import { missed, tableOf, thousands, verdict } from "../measure/table.ts";
import { directorContestant, type Nodes, runsContestant } from "./contestants.ts";

const [director, runs] = ["a director and its nodes", "the same runs without it"] as const;
const contestants = [directorContestant(director), runsContestant(runs)];

const measured = [];
for (const count of [7, 50]) {
  console.error(`bench: plans of ${count} nodes`);
  const nodes: Nodes = Array.from({ length: count }, (_, index) => `n${index}`);
  const times = await runAsyncRounds({ contestants, warmUps: 5, rounds: 30, inputs: [nodes] });
  measured.push({ count, times });
}

const report: BasicReport<"director"> = {
  benchmark: "director",
  date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  method:
    "Processor time, stores in memory; contestants take turns; " +
    "each ratio is the median over rounds of the ratio within a round.",
  rows: measured.map(({ count, times }) => row(`a plan of ${count} nodes`, runs, times.ratio(director, runs), 1.5)),
};
const perNode = measured.map(
  ({ count, times }) =>
    `${count} nodes: ${thousands((times.micros(director) - times.micros(runs)) / count)} µs more for each node`,
);
process.stdout.write(
  [
    `Director, Node ${report.node}. ${report.method}`,
    "",
    ...tableOf(report.rows),
    "",
    "On this machine, now:",
    ...perNode,
    "",
    verdict(report.rows),
    "",
  ].join("\n"),
);
save(report);
if (process.argv.includes("--check") && missed(report.rows).length > 0) process.exitCode = 1;
