import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStores } from "../../packages/agent/dist/index.js";
import { save } from "../measure/save.ts";
import { missed } from "../measure/table.ts";
import { startWorker } from "../measure/worker.ts";
import type { ClientsResult, ClientsTask } from "./clients/task.ts";
import { load } from "./load.ts";
import { asTable, faultCount, type Report, reportOf } from "./report.ts";
import { type Round, runRound } from "./round.ts";
import type { RunsResult, RunsTask } from "./runs/child.ts";
import { startDeltaRuns } from "./runs/delta-runs.ts";

const roundCount = Number(process.env["BENCH_ROUNDS"] ?? 3);
// A short path: the sockets on which runs offer their live events have one of 100 bytes at most.
const home = realpathSync(mkdtempSync(join(process.env["BENCH_FOLDER"] ?? tmpdir(), "serve-")));
const database = join(home, "sheepdog.db");
const stops: (() => unknown)[] = [() => rmSync(home, { recursive: true, force: true, maxRetries: 5 })];
let report: Report;
try {
  console.error(`bench: ${load.runs} live runs, ${load.deltaRuns} processes of sheepdog run`);
  const runs = await startWorker<RunsTask, RunsResult>(database, new URL("runs/child.ts", import.meta.url));
  stops.unshift(runs.stop);
  const deltaRuns = await startDeltaRuns(home);
  stops.unshift(deltaRuns.stop);
  const clients = await Promise.all(
    Array.from({ length: load.clientProcesses }, () =>
      startWorker<ClientsTask, ClientsResult>("clients", new URL("clients/child.ts", import.meta.url)),
    ),
  );
  for (const worker of clients) stops.unshift(worker.stop);
  const stores = await sqliteStores({ path: database });
  stops.unshift(() => stores.close());
  const rounds: Round[] = [];
  for (let round = 1; round <= roundCount; round += 1) {
    console.error(`bench: round ${round} of ${roundCount}, about a minute and a half`);
    rounds.push(await runRound({ home, events: stores.events, runs, clients }));
  }
  report = reportOf(rounds);
} finally {
  for (const stop of stops) await stop();
}
process.stdout.write(asTable(report));
save(report);
if (faultCount(report) > 0) process.exitCode = 1;
if (process.argv.includes("--check") && missed(report.rows).length > 0) process.exitCode = 1;
