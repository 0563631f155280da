import { spentBy } from "../costs/run-spending.ts";
import { createOutbox } from "../events/outbox.ts";
import type { Clock } from "../protocol/clock.ts";
import type { Message, Usage } from "../protocol/messages.ts";
import { outcomes, type RunResult } from "../protocol/result.ts";
import { childOf } from "../runtime/subagents.ts";
import type { Holder, SavedRun, Stores } from "../stores/stores.ts";
import { beyond, type OpenSession, openSession } from "./open-session.ts";
import { unansweredCallsOf, unknownOutcome } from "./unanswered-calls.ts";

interface Around {
  readonly stores: Stores;
  readonly billingSessionId?: string;
  readonly clock: Clock;
  readonly bus: Parameters<typeof createOutbox>[0] & { resume(sessionId: string, lastSeq: number): void };
}

/** Closes a run that a process left unfinished when it ended, and that nobody goes on with: it has an end like any other. */
export async function closeOrphanedRun(
  { stores, clock, bus, billingSessionId }: Around,
  { lease, saved: { checkpoint } }: OpenSession,
  run: SavedRun,
  messages: readonly Message[] = [],
): Promise<void> {
  const { runId } = run;
  const { sessionId } = lease;
  const { usage, costNanoUsd } = spentBy(runId, await stores.costs.rows(billingSessionId ?? sessionId));
  const turns = checkpoint?.runId === runId ? checkpoint.turn : run.turns;
  const text = "The process that worked on this run ended before the run did.";
  const { state, exitCode } = outcomes.internal_error;
  const reason = "internal_error";
  const result: RunResult = {
    sessionId,
    runId,
    state,
    exitCode,
    reason,
    text,
    problem: text,
    turns,
    usage,
    costNanoUsd,
    interventions: [],
  };
  const closed: SavedRun = { ...run, turns, usage, costNanoUsd, state, reason, text, endedAt: clock.now() };
  await createOutbox(bus, { sessionId, runId }).writeFirst([{ type: "RunError", result }], {
    write: (events) => stores.sessions.commit(lease, { at: clock.now(), messages, run: closed, events }),
  });
}

/** What a subagent has used by the books. */
export interface ChildSpent {
  readonly childId: string;
  readonly usage: Usage;
  readonly costNanoUsd: number | null;
}

/**
 * Does that for the session of a subagent, which nobody will write to again, with the calls that were left open and the subagents those had. One that another
 * process has is left to it. `billingSessionId` is the session that pays for them.
 */
export async function closeOrphanedSession(
  around: Around & { readonly holder: Holder; readonly billingSessionId: string },
  sessionId: string,
): Promise<readonly ChildSpent[]> {
  const { stores, clock, bus, billingSessionId } = around;
  const last = (await stores.sessions.load(sessionId)).runs.at(-1);
  if (last === undefined) return [];
  const spent: ChildSpent[] = [];
  const session =
    last.state === "running" ? await openSession(around, sessionId, () => {}).catch(() => undefined) : undefined;
  try {
    if (session?.saved.runs.at(-1)?.state === "running") {
      bus.resume(sessionId, beyond(session.saved.lastSeq));
      const open = unansweredCallsOf(session.saved.messages);
      for (const { id, tool } of open)
        if (tool === "spawn") spent.push(...(await closeOrphanedSession(around, childOf(sessionId, last.runId, id))));
      await closeOrphanedRun(
        around,
        session,
        last,
        open.map((call) => unknownOutcome(call, { clock })),
      );
    }
  } finally {
    await session?.close();
  }
  return [...spent, { childId: sessionId, ...spentBy(last.runId, await stores.costs.rows(billingSessionId)) }];
}
