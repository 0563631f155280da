import { setTimeout as pause } from "node:timers/promises";
import type { Stores } from "@sheepdog/agent";
import { createRunPort } from "../../control/index.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { programName } from "../../program-name.ts";
import { type FoundRun, findRun } from "../../saved-runs/find-run.ts";
import { listRuns } from "../../saved-runs/list-runs.ts";
import { resumeHint } from "../../saved-runs/resume-command.ts";
import { describeState, isLive } from "../../saved-runs/run-state.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";
import { type StoreContext, withStores } from "../../saved-runs/with-stores.ts";

/** The longest time a run takes to end cleanly. */
const endMs = 5_000;
const pollMs = 100;

/** Stops a run of another process cleanly, and prints how it ended. */
export async function stopCommand(id: string, io: Io): Promise<number> {
  return withStores(io, async (context) => {
    const { stores, config } = context;
    const found = id === "last" ? await findNewestRunning(stores) : await findRun(stores, id, Date.now());
    if (!found.ok) {
      await writeMessage(io, found.problem);
      return exitCode.usage;
    }
    const { sessionId, run, state } = found.summary;
    if (!isLive(state)) return printEnd(found.summary, "not running", { io, config });
    if (run.billingSessionId !== undefined) {
      const parent = `sheepdog stop ${run.billingSessionId}`;
      await writeMessage(io, `${run.runId} is a run of a subagent; stop the run that started it: ${parent}`);
      return exitCode.usage;
    }
    const problem = await sendStop(context, run.runId);
    if (problem !== undefined) {
      await writeMessage(io, problem);
      return exitCode.failed;
    }
    const ended = await untilEnded(stores, run.runId);
    if (ended !== undefined) return printEnd(ended, "stopped", { io, config });
    await writeMessage(io, `${run.runId} received the stop but has not ended yet; see: sheepdog show ${sessionId}`);
    return exitCode.failed;
  });
}

/** The run that was started last, of those that are running now. */
async function findNewestRunning(stores: Stores): Promise<FoundRun> {
  const isWanted = ({ state }: RunSummary) => isLive(state);
  const { runs } = await listRuns(stores, { at: Date.now(), limit: 1, isHeldOnly: true, isWanted });
  const [summary] = runs;
  return summary === undefined ? { ok: false, problem: "no run is running" } : { ok: true, summary };
}

/** A sentence if the run did not receive the message; undefined if it did, or if it has ended. */
async function sendStop({ home, stores }: StoreContext, runId: string): Promise<string | undefined> {
  try {
    const outcome = await createRunPort(home).send(runId, { type: "stop" });
    if (outcome.type !== "unanswered") return undefined;
  } catch (error) {
    return `the message cannot be written (${error instanceof Error ? error.message : String(error)})`;
  }
  const found = await findRun(stores, runId, Date.now());
  if (found.ok && !isLive(found.summary.state)) return undefined;
  const reason = "its process hangs, or is not `sheepdog run` or `sheepdog chat`";
  return `${runId} did not answer and was not stopped: ${reason}`;
}

async function untilEnded(stores: Stores, runId: string): Promise<RunSummary | undefined> {
  for (let leftMs = endMs; leftMs > 0; leftMs -= pollMs) {
    const found = await findRun(stores, runId, Date.now());
    if (found.ok && !isLive(found.summary.state)) return found.summary;
    await pause(pollMs);
  }
  return undefined;
}

async function printEnd(
  summary: RunSummary,
  outcome: string,
  { io, config }: { readonly io: Io; readonly config: StoreContext["config"] },
): Promise<number> {
  const { run } = summary;
  await write(io.stdout, `${run.runId}: ${outcome} (${describeState(summary)})\n`);
  const hint = resumeHint(summary, { cwd: io.cwd, config, program: programName(io.env) });
  if (hint !== undefined) await write(io.stderr, `${hint}\n`);
  return exitCode.done;
}
