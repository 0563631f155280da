import type { Clock } from "./clock.ts";
import { createOutbox } from "./outbox.ts";
import { spentBy } from "./prepare.ts";
import { outcomes, type RunResult } from "./result.ts";
import type { OpenSession } from "./session.ts";
import type { SavedRun, Stores } from "./stores/stores.ts";

/** Closes a run that a process left unfinished when it ended, and that nobody goes on with: it has an end like any other. */
export async function abandon(
  { stores, clock, bus }: { readonly stores: Stores; readonly clock: Clock; readonly bus: Parameters<typeof createOutbox>[0] },
  { lease, saved: { checkpoint } }: OpenSession,
  run: SavedRun,
): Promise<void> {
  const { runId } = run;
  const { sessionId } = lease;
  const { usage, costNanoUsd } = spentBy(runId, await stores.costs.rows(sessionId));
  const turns = checkpoint?.runId === runId ? checkpoint.turn : run.turns;
  const text = "The process that worked on this run ended before the run did.";
  const result: RunResult = {
    sessionId,
    runId,
    ...outcomes.internal_error,
    reason: "internal_error",
    text,
    problem: text,
    turns,
    usage,
    costNanoUsd,
    interventions: [],
  };
  const { state, reason } = result;
  await createOutbox(bus, { sessionId, runId }).writeFirst([{ type: "RunError", result }], (events) =>
    stores.sessions.commit(lease, { at: clock.now(), run: { ...run, turns, usage, costNanoUsd, state, reason, text, endedAt: clock.now() }, events }),
  );
}
