import type { GuardianState } from "@sheepdog/guardian";
import type { AgentEventBody } from "../protocol/events.ts";
import type { RunResult } from "../protocol/result.ts";
import type { SavedRun, UnansweredCall } from "../stores/stores.ts";
import type { AgentRun } from "./agent-run.ts";

/**
 * Commit A, before calls with side effects: the reply, which of its calls may have been executed, and the events so
 * far. Then publishes `bodies`.
 */
export async function commitIntents(
  { events, writer }: AgentRun,
  unansweredCalls: readonly UnansweredCall[],
  bodies: readonly AgentEventBody[],
): Promise<void> {
  await events.commit(bodies, (written) => writer.commit({ unansweredCalls, events: written }));
}

/** Saves the events so far, so that other processes can read them. A failing disk ends the run with its next commit. */
export async function saveEvents({ events, writer }: Pick<AgentRun, "events" | "writer">): Promise<void> {
  await events.commit([], (written) => writer.commit({ events: written })).catch(() => undefined);
}

/** Completes the turn: returns the events that say so, to be published once the turn is saved. */
export function completeTurn({ history }: AgentRun): readonly AgentEventBody[] {
  const { turn } = history;
  history.completeTurn();
  return [
    { type: "Checkpointed", turn },
    { type: "TurnComplete", turn },
  ];
}

/** Commit B, steps 15 and 16: results, checkpoint, costs and events of the turn. Then publishes `events`. */
export function commitTurn(run: AgentRun, bodies: readonly AgentEventBody[], record?: SavedRun): Promise<void> {
  return commitWithCheckpoint(run, bodies, { guardian: run.guard.snapshot(), record });
}

/**
 * Saves the results so far, and publishes `events`. The guardian is saved as it was before the end of the turn, so that
 * after a crash the turn is ended again.
 */
export function commitOpenTurn(
  run: AgentRun,
  bodies: readonly AgentEventBody[],
  guardian: GuardianState,
): Promise<void> {
  return commitWithCheckpoint(run, bodies, { guardian });
}

async function commitWithCheckpoint(
  { setup: { runId }, history, spending, events, writer }: AgentRun,
  bodies: readonly AgentEventBody[],
  { guardian, record }: { readonly guardian: GuardianState; readonly record?: SavedRun | undefined },
): Promise<void> {
  const checkpoint = {
    runId,
    turn: history.turn,
    guardian,
    total: spending.usage,
    costNanoUsd: spending.costNanoUsd,
    recoveries: history.recoveries,
  };
  await events.commit(bodies, (written) =>
    writer.commit({ checkpoint, events: written, ...(record === undefined ? {} : { run: record }) }),
  );
}

/** The run as it is saved: running, or with its result. */
export function runRecord(
  { setup, history, spending }: AgentRun,
  { result, isPromptPending = false }: { readonly result?: RunResult; readonly isPromptPending?: boolean } = {},
): SavedRun {
  const { sessionId, runId, title, goal, isDirected, billingSessionId, workspace, models, startedAt, spec, clock } =
    setup;
  const model = models[0]?.modelId;
  const record = {
    runId,
    prompt: title,
    ...(isPromptPending ? { isPromptPending } : {}),
    ...(goal === undefined ? {} : { goal }),
    ...(isDirected === undefined ? {} : { isDirected }),
    ...(billingSessionId === sessionId ? {} : { billingSessionId }),
    workspace,
    ...(model === undefined ? {} : { model }),
    startedAt,
    ...(spec === undefined ? {} : { spec }),
    turns: history.turn,
    usage: spending.usage,
    costNanoUsd: spending.costNanoUsd,
  };
  if (result === undefined) return { ...record, state: "running" };
  const { state, reason, text } = result;
  return { ...record, state, reason, text, endedAt: clock.now() };
}
