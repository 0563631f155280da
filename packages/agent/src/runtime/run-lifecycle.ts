import { redactSecrets } from "@sheepdog/guardian";
import type { EventBus } from "../events/event-bus.ts";
import type { Outbox } from "../events/outbox.ts";
import { addSteering, ask } from "../loop/append-messages.ts";
import { commitTurn } from "../loop/commit-turn.ts";
import { loop } from "../loop/loop.ts";
import type { RunContext } from "../loop/run-context.ts";
import type { RunEnd } from "../loop/run-end.ts";
import { recordOf } from "../loop/run-record.ts";
import { outcomes, type RunResult } from "../protocol/result.ts";
import { noUsage } from "../protocol/usage.ts";
import { closeOrphanedRun } from "../session/close-orphaned-run.ts";
import { beyond, type OpenSession, openSession } from "../session/open-session.ts";
import { closeUnansweredCalls } from "../session/resume-turn.ts";
import type { SavedRun } from "../stores/stores.ts";
import { createRun } from "./create-run.ts";
import type { Order, Ready } from "./runtime.ts";
import type { Parent } from "./subagents.ts";

/** A run as it was started. */
export interface Started extends Order, Pick<RunContext, "runId" | "signal" | "steering" | "onBegun"> {
  readonly outbox: Outbox;
  readonly bus: Pick<EventBus, "resume" | "emit" | "prepare" | "publish" | "discard">;
  /** Called once the session is this run's. */
  readonly onOpen: () => void;
  /** Nobody is heard any more. */
  readonly onOver: () => void;
}

/** Works a run off from its first event to its last, whatever happens in between. */
export async function executeRun(options: Ready, start: Parent["start"], started: Started): Promise<RunResult> {
  const { sessionId, signal, resumed } = started;
  if (!(await options.queue.turn(sessionId, signal))) {
    const ending: RunEnd = { reason: "cancelled", text: cancelled, problem: cancelled };
    return resumed === undefined ? unbegun(started, ending) : resultOf(started, undefined, ending); // the run itself may be at work
  }
  let run: RunContext | undefined;
  let leave = async () => {};
  try {
    const session = await openSession(options, sessionId, () =>
      run?.guard.fail("Another process has taken the session over."),
    );
    leave = session.close;
    const ended = await begin(options, started, session);
    if (ended !== undefined) return ended;
    run = await createRun(options, start, withPendingPrompt(started, session.saved.runs.at(-1)), session);
    return await end(run, await loop(run), started.onOver);
  } catch (error) {
    return await broken(started, run, error);
  } finally {
    started.onOver();
    run?.guard.close();
    await leave();
    options.queue.release(sessionId);
  }
}

const cancelled = "The run was cancelled before it began.";

/** Sees to a run that another process left unfinished. Gives the result where there is nothing left to do. */
async function begin(options: Ready, started: Started, session: OpenSession): Promise<RunResult | undefined> {
  const { sessionId, resumed, bus } = started;
  const { lastSeq, runs } = session.saved;
  const last = runs.at(-1);
  const unfinished = last?.state === "running" ? last : undefined;
  if (resumed !== undefined && unfinished?.runId !== resumed.runId) return endedMeanwhile(started, runs);
  bus.resume(sessionId, unfinished === undefined ? lastSeq : beyond(lastSeq));
  started.onOpen();
  if (unfinished !== undefined && resumed === undefined)
    await closeOrphanedRun({ ...options, bus }, session, unfinished);
  return undefined;
}

/** A prompt that was kept and never asked, because its process ended before, is asked with the next one. */
function withPendingPrompt(started: Started, last: SavedRun | undefined): Started {
  const { prompt, resumed } = started;
  if (prompt === undefined || resumed !== undefined || last?.state !== "running" || last.isPromptPending !== true)
    return started;
  const text = `${last.prompt}\n\n${prompt.text}`;
  return { ...started, title: text, prompt: { ...prompt, text } };
}

/** A run that had no turn: nothing of it is kept. */
function unbegun(started: Started, ending: RunEnd): RunResult {
  const result = resultOf(started, undefined, ending);
  started.outbox.emit({ type: "RunStarted", prompt: started.title });
  started.outbox.emit(last(result));
  return result;
}

/** Another process was quicker: what came of the run there is what came of it. */
function endedMeanwhile({ sessionId, runId }: Started, runs: readonly SavedRun[]): RunResult {
  const {
    reason = "internal_error",
    text = "",
    turns = 0,
    usage = noUsage,
    costNanoUsd = null,
  } = runs.find((run) => run.runId === runId) ?? {};
  return { sessionId, runId, ...outcomes[reason], reason, text, turns, usage, costNanoUsd, interventions: [] };
}

/** Keeps the end of a run before it is told. */
async function end(run: RunContext, ending: RunEnd, onOver: () => void): Promise<RunResult> {
  await Promise.allSettled(run.children); // those of a run that was ended are ended too
  run.guard.close();
  addSteering(run); // whatever way it ended, what was said is kept
  const result = resultOf(run, run, ending);
  await commitTurn(run, [...(ending.told ?? []), last(result)], { run: recordOf(run, { result }) });
  try {
    while (addSteering(run)) await commitTurn(run); // somebody spoke while that was written
  } catch {
    // The end is kept and told; what was said after it could not be.
  }
  onOver();
  return result;
}

/** A broken promise of our own code, or of the disk: told in good order, and kept where that is still possible. */
async function broken(started: Started, run: RunContext | undefined, error: unknown): Promise<RunResult> {
  const { outbox, resumed } = started;
  const problem = error instanceof Error ? error.message : String(error);
  const ending: RunEnd = { reason: "internal_error", text: problem, problem };
  if (run === undefined) return resumed === undefined ? unbegun(started, ending) : resultOf(started, run, ending); // the run is another process's to tell of
  await Promise.allSettled(run.children);
  run.guard.close();
  started.onOver();
  closeUnansweredCalls(run);
  ask(run);
  addSteering(run);
  const result = resultOf(started, run, ending);
  if (outbox.isSilent())
    outbox.emit({ type: "RunStarted", prompt: started.title, ...(resumed === undefined ? {} : { isResumed: true }) });
  try {
    await commitTurn(run, [last(result)], { run: recordOf(run, { result }) });
  } catch {
    outbox.emit(last(result)); // what could not be kept is the problem that is told
  }
  return result;
}

function last(result: RunResult): { readonly type: "RunComplete" | "RunError"; readonly result: RunResult } {
  return { type: result.state === "completed" ? "RunComplete" : "RunError", result };
}

function resultOf(
  { sessionId, runId }: Pick<RunContext, "sessionId" | "runId">,
  run: RunContext | undefined,
  { reason, text, problem }: RunEnd,
): RunResult {
  return {
    sessionId,
    runId,
    ...outcomes[reason],
    reason,
    text:
      outcomes[reason].state === "completed"
        ? text
        : `${redactSecrets(text)}${run === undefined ? "" : `\nTo go on: resume the session ${sessionId}.`}`,
    ...(problem === undefined ? {} : { problem: redactSecrets(problem.split("\n")[0] ?? "") }),
    turns: run?.progress.turn ?? 0,
    usage: run?.progress.total ?? noUsage,
    costNanoUsd: run?.progress.costNanoUsd ?? null,
    ...(run === undefined ? {} : spentBelow(run)),
    interventions: [...(run?.guard.interventions ?? [])],
  };
}

/** What it cost with its subagents, where it had some. */
function spentBelow({ guard, progress: { costNanoUsd } }: RunContext): Pick<RunResult, "costWithSubagentsNanoUsd"> {
  const { subagentTotals, subagents } = guard.guardian.snapshot();
  if (subagentTotals.started === 0) return {};
  const below = subagents.reduce((sum, child) => sum + child.costNanoUsd, subagentTotals.costNanoUsd);
  return { costWithSubagentsNanoUsd: costNanoUsd === null || subagentTotals.isUnpriced ? null : costNanoUsd + below };
}
