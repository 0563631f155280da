import type { AgentRun } from "../loop/agent-run.ts";
import type { Finish } from "../loop/finish.ts";
import { endEvent, finishBrokenRun, internalError, runResult, startedEvent } from "../loop/finish-run.ts";
import { loop } from "../loop/loop.ts";
import { outcomes, type RunResult } from "../protocol/result.ts";
import { noUsage } from "../protocol/usage.ts";
import { closeOrphanedRun } from "../session/close-orphaned-run.ts";
import { nextSeqBlock, type OpenSession, openSession } from "../session/open-session.ts";
import { boundedStores } from "../stores/bounded-stores.ts";
import type { SavedRun } from "../stores/stores.ts";
import { createRun } from "./create-run.ts";
import type { StartedRun } from "./run-request.ts";
import type { RuntimeContext } from "./runtime-options.ts";

/** Executes a run from its place in the queue to its last event. Always returns a result. */
export async function executeRun(shared: RuntimeContext, started: StartedRun): Promise<RunResult> {
  const context = { ...shared, stores: boundedStores(shared.stores, shared.clock) };
  const { request, inbox, controls, cancelled } = started;
  const { sessionId } = request;
  if (!(await context.queue.enter(sessionId, cancelled)))
    return finishUnstarted(context, started, cancelledBeforeStart);
  let run: AgentRun | undefined;
  let session: OpenSession | undefined;
  try {
    session = await openSession(context, sessionId, () =>
      run?.guard.fail("Another process has taken over the session."),
    );
    const { saved } = session;
    const endedElsewhere = await takeOver(context, started, session);
    if (endedElsewhere !== undefined) return endedElsewhere;
    const current = await createRun(context, withPendingPrompt(started, saved.runs.at(-1)), session);
    run = current;
    return await loop(current, { saved, onStarted: () => controls.connect(current.guard) });
  } catch (error) {
    return run === undefined
      ? finishUnstarted(context, started, internalError(error))
      : await finishBrokenRun(run, error);
  } finally {
    inbox.close();
    run?.guard.close();
    await session?.close();
    context.queue.leave(sessionId);
  }
}

const cancelledBeforeStart: Finish = {
  type: "finish",
  reason: "cancelled",
  text: "The run was cancelled before it started.",
  problem: "The run was cancelled before it started.",
};

/** Closes an orphaned run of the session. Returns a result if the run to resume has ended in another process. */
async function takeOver(
  context: RuntimeContext,
  started: StartedRun,
  session: OpenSession,
): Promise<RunResult | undefined> {
  const { sessionId, resumed } = started.request;
  const { lastSeq, runs } = session.saved;
  const lastRun = runs.at(-1);
  const orphaned = lastRun?.state === "running" ? lastRun : undefined;
  if (resumed !== undefined && orphaned?.runId !== resumed.runId) return resultElsewhere(started, runs);
  context.bus.resume(sessionId, orphaned === undefined ? lastSeq : nextSeqBlock(lastSeq));
  started.onOpened();
  if (orphaned !== undefined && resumed === undefined) await closeOrphanedRun(context, session, { run: orphaned });
  return undefined;
}

/** A prompt whose process crashed before the model read it is sent together with the next one. */
function withPendingPrompt(started: StartedRun, lastRun: SavedRun | undefined): StartedRun {
  const { request } = started;
  const { prompt, resumed } = request;
  const isPending = lastRun?.state === "running" && lastRun.isPromptPending === true;
  if (prompt === undefined || resumed !== undefined || !isPending) return started;
  const text = `${lastRun.prompt}\n\n${prompt.text}`;
  started.inbox.replacePrompt({ ...prompt, text });
  return { ...started, request: { ...request, title: text } };
}

/** The result of a run that had no turn. Nothing of it is saved; for a resumed run another process emits the end. */
function finishUnstarted(context: RuntimeContext, { request, runId, events }: StartedRun, finish: Finish): RunResult {
  const { sessionId, title, resumed } = request;
  const { policy, attended: isAttended, models } = context;
  const result = runResult({ ...context, sessionId, runId }, finish);
  if (resumed !== undefined) return result;
  events.emit(startedEvent({ title, isResumed: false, policy, isAttended, models }, policy.limits));
  events.emit(endEvent(result));
  return result;
}

/** The saved result of a run that another process has finished. */
function resultElsewhere({ request: { sessionId }, runId }: StartedRun, runs: readonly SavedRun[]): RunResult {
  const saved = runs.find((run) => run.runId === runId);
  const { reason = "internal_error", text = "", turns = 0, usage = noUsage, costNanoUsd = null } = saved ?? {};
  return { sessionId, runId, ...outcomes[reason], reason, text, turns, usage, costNanoUsd, interventions: [] };
}
