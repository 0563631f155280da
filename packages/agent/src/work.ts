import { maskSecrets } from "@sheepdog/guardian";
import { abandon } from "./abandon.ts";
import type { EventBus } from "./bus/event-bus.ts";
import { commit } from "./commit.ts";
import type { Ending } from "./ending.ts";
import { loop } from "./loop.ts";
import type { Outbox } from "./outbox.ts";
import { prepare } from "./prepare.ts";
import { closeCalls } from "./recover.ts";
import { outcomes, type RunResult } from "./result.ts";
import type { RunContext } from "./run-context.ts";
import { recordOf } from "./run-record.ts";
import type { Order, Ready } from "./runtime.ts";
import { addSteering } from "./say.ts";
import { beyond, openSession } from "./session.ts";
import type { SavedRun } from "./stores/stores.ts";
import type { Parent } from "./sub-agents.ts";
import { noUsage } from "./total-usage.ts";

/** A run as it was started. */
export interface Started extends Order, Pick<RunContext, "runId" | "signal" | "takeSteering"> {
  readonly outbox: Outbox;
  readonly bus: Pick<EventBus, "resume" | "make" | "tell">;
}

/** Works a run off from its first event to its last, whatever happens in between. */
export async function work(options: Ready, start: Parent["start"], started: Started): Promise<RunResult> {
  const { sessionId, resumed } = started;
  await options.queue.turn(sessionId);
  let run: RunContext | undefined;
  let leave = async () => {};
  let result: RunResult;
  try {
    const session = await openSession(options, sessionId, () => run?.guard.fail("Another process has taken the session over."));
    leave = session.close;
    const { lastSeq, runs } = session.saved;
    const last = runs.at(-1);
    const unfinished = last?.state === "running" ? last : undefined;
    started.bus.resume(sessionId, unfinished === undefined ? lastSeq : beyond(lastSeq));
    if (unfinished !== undefined && resumed === undefined) await abandon({ ...options, bus: started.bus }, session, unfinished);
    if (resumed !== undefined && unfinished?.runId !== resumed.runId) result = endedMeanwhile(started, runs);
    else {
      run = await prepare(options, start, started, session);
      result = await end(run, await loop(run));
    }
  } catch (error) {
    result = await broken(started, run, error);
  }
  run?.guard.close();
  await leave();
  options.queue.release(sessionId);
  return result;
}

/** Another process was quicker: what came of the run there is what came of it. */
function endedMeanwhile({ sessionId, runId }: Started, runs: readonly SavedRun[]): RunResult {
  const { reason = "internal_error", text = "", turns = 0, usage = noUsage, costNanoUsd = null } = runs.find((run) => run.runId === runId) ?? {};
  return { sessionId, runId, ...outcomes[reason], reason, text, turns, usage, costNanoUsd, interventions: [] };
}

/** Keeps the end of a run before it is told. */
async function end(run: RunContext, ending: Ending): Promise<RunResult> {
  addSteering(run); // whatever way it ended, what was said is kept
  const result = resultOf(run, run, ending);
  await commit(run, [...(ending.told ?? []), last(result)], { run: recordOf(run, result) });
  while (addSteering(run)) await commit(run); // somebody spoke while that was written
  return result;
}

/** A broken promise of our own code, or of the disk: told in good order, and kept where that is still possible. */
async function broken(started: Started, run: RunContext | undefined, error: unknown): Promise<RunResult> {
  const { outbox, title, resumed } = started;
  const problem = error instanceof Error ? error.message : String(error);
  const result = resultOf(started, run, { reason: "internal_error", text: problem, problem });
  if (outbox.isSilent()) outbox.emit({ type: "RunStarted", prompt: title, ...(resumed === undefined ? {} : { isResumed: true }) });
  try {
    if (run === undefined) throw error;
    closeCalls(run);
    await commit(run, [last(result)], { run: recordOf(run, result) });
  } catch {
    outbox.emit(last(result)); // what could not be kept is the problem that is told
  }
  return result;
}

function last(result: RunResult): { readonly type: "RunComplete" | "RunError"; readonly result: RunResult } {
  return { type: result.state === "completed" ? "RunComplete" : "RunError", result };
}

function resultOf({ sessionId, runId }: Pick<RunContext, "sessionId" | "runId">, run: RunContext | undefined, { reason, text, problem }: Ending): RunResult {
  return {
    sessionId,
    runId,
    ...outcomes[reason],
    reason,
    text: outcomes[reason].state === "completed" ? text : `${maskSecrets(text)}\nTo go on: resume the session ${sessionId}.`,
    ...(problem === undefined ? {} : { problem: maskSecrets(problem.split("\n")[0] ?? "") }),
    turns: run?.progress.turn ?? 0,
    usage: run?.progress.total ?? noUsage,
    costNanoUsd: run?.progress.costNanoUsd ?? null,
    interventions: run?.guard.interventions ?? [],
  };
}
