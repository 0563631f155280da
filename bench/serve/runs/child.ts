import { readFileSync } from "node:fs";
import { serveTasks } from "../../measure/serve-tasks.ts";
import { sleep } from "../load.ts";
import { startLiveRuns } from "./live-runs.ts";

/** The process of the live runs measures for a time. */
export interface RunsTask {
  readonly ms: number;
}

/** What the runs did in that time. */
export interface RunsResult {
  /** Milliseconds from request to request, less the delay of the model. */
  readonly turns: readonly number[];
  readonly cpuMs: number;
  /** How long the process was ready and had to wait for a processor; NaN where the system does not tell. */
  readonly waitMs: number;
}

process.on("disconnect", () => process.exit()); // the benchmark was ended

await serveTasks<RunsTask, RunsResult>(async () => {
  const runs = await startLiveRuns(process.argv[2] ?? "");
  await runs.started;
  return async ({ ms }) => {
    runs.takeTurns();
    const start = process.cpuUsage();
    const waitedMs = processorWaitMs();
    await sleep(ms);
    const { user, system } = process.cpuUsage(start);
    return { turns: runs.takeTurns(), cpuMs: (user + system) / 1_000, waitMs: processorWaitMs() - waitedMs };
  };
});

/** From Linux's figures of the scheduler: time on a processor, time waiting for one, and how often. */
function processorWaitMs(): number {
  try {
    return Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[1]) / 1e6;
  } catch {
    return Number.NaN; // not Linux
  }
}
