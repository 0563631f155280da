import { save } from "../measure/save.ts";
import { missed } from "../measure/table.ts";
import { measureFlags } from "./flags/rounds.ts";
import { flagRows } from "./flags/rows.ts";
import { asTable, completeRuns, flagStarts, type Report } from "./report.ts";
import { measureAgentRuns } from "./runs/measure.ts";
import { runRows } from "./runs/rows.ts";

console.error("bench: complete runs of 25 turns (some minutes: other agents are slow)");
const agentRuns = measureAgentRuns(7);
console.error("bench: --version and --help");
const flagTimes = measureFlags({ warmUps: 2, rounds: 31, peerRounds: 5 });

const report: Report = {
  benchmark: "start",
  date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  method:
    "Programs are started in turn; each ratio is the median over rounds of the ratio within a round. " +
    "Times are on the clock unless they are CPU.",
  rows: [...runRows(agentRuns), ...flagRows(flagTimes)],
  flagStarts: flagStarts(flagTimes),
  completeRuns: completeRuns(agentRuns),
  isNetworkCutOff: agentRuns.isIsolated,
};
process.stdout.write(asTable(report));
save(report);
if (process.argv.includes("--check") && missed(report.rows).length > 0) process.exitCode = 1;
