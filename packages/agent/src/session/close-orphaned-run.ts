import { type RunSpending, spendingOfRun } from "../costs/ledger-spending.ts";
import type { EventBus } from "../events/event-bus.ts";
import { createRunEvents } from "../events/run-events.ts";
import type { Message } from "../protocol/messages.ts";
import { missingResult } from "../protocol/missing-result.ts";
import { outcomes, type RunResult } from "../protocol/result.ts";
import { createRedact, type Redact } from "../secrets/redact.ts";
import type { SavedRun } from "../stores/stores.ts";
import { nextSeqBlock, type OpenSession, type OpenSessionOptions, openSession } from "./open-session.ts";
import { createSessionWriter } from "./session-writer.ts";
import { subagentSessionId } from "./subagent-session-id.ts";
import { unansweredCallsOf } from "./unanswered-calls.ts";

export interface CloseOptions extends OpenSessionOptions {
  readonly bus: Pick<EventBus, "resume" | "prepare" | "publish" | "discard">;
  /** The session that pays, if that is another one. */
  readonly billingSessionId?: string;
  readonly redact?: Redact;
}

/** Ends a run whose process crashed and that is not resumed, with `messages` added to its session. */
export async function closeOrphanedRun(
  { stores, clock, bus, billingSessionId, redact = createRedact() }: CloseOptions,
  { lease, saved: { checkpoint } }: OpenSession,
  { run, messages = [] }: { readonly run: SavedRun; readonly messages?: readonly Message[] },
): Promise<void> {
  const { runId } = run;
  const { sessionId } = lease;
  const spending = spendingOfRun(runId, await stores.costs.rows(billingSessionId ?? sessionId));
  const turns = checkpoint?.runId === runId ? checkpoint.turn : run.turns;
  const text = "The process of this run ended before the run did.";
  const reason = "broken_off";
  const result: RunResult = {
    sessionId,
    runId,
    ...outcomes[reason],
    reason,
    text,
    problem: text,
    turns,
    ...spending,
    interventions: [],
  };
  const { state } = result;
  const closed: SavedRun = { ...run, turns, ...spending, state, reason, text, endedAt: clock.now() };
  const runEvents = createRunEvents(bus, { sessionId, runId }, { redact });
  const history = { unsaved: () => messages, markSaved: () => {} };
  const writer = createSessionWriter({ sessions: stores.sessions, lease, history, clock, redact });
  await runEvents.commit([{ type: "RunError", result }], (events) => writer.commit({ run: closed, events }));
}

/** The spending of a subagent by the ledger. */
export interface SubagentSpending extends RunSpending {
  readonly childId: string;
}

/**
 * Closes the orphaned run of a subagent's session, with its unanswered calls and its own subagents. A session that
 * another process uses is left alone. Returns the spending of every subagent found.
 */
export async function closeOrphanedSession(
  options: CloseOptions & { readonly billingSessionId: string },
  sessionId: string,
): Promise<readonly SubagentSpending[]> {
  const { stores, clock, bus, billingSessionId } = options;
  const lastRun = (await stores.sessions.load(sessionId)).runs.at(-1);
  if (lastRun === undefined) return [];
  const spending: SubagentSpending[] = [];
  const session =
    lastRun.state === "running" ? await openSession(options, sessionId, () => {}).catch(() => undefined) : undefined;
  try {
    if (session?.saved.runs.at(-1)?.state === "running") {
      bus.resume(sessionId, nextSeqBlock(session.saved.lastSeq));
      const unanswered = unansweredCallsOf(session.saved.messages);
      for (const { id, tool } of unanswered) {
        if (tool !== "spawn") continue;
        const child = subagentSessionId({ sessionId, runId: lastRun.runId }, id);
        spending.push(...(await closeOrphanedSession(options, child)));
      }
      const messages = unanswered.map((call) => missingResult(call, "outcome-unknown", clock));
      await closeOrphanedRun(options, session, { run: lastRun, messages });
    }
  } finally {
    await session?.close();
  }
  const rows = await stores.costs.rows(billingSessionId);
  return [...spending, { childId: sessionId, ...spendingOfRun(lastRun.runId, rows) }];
}
