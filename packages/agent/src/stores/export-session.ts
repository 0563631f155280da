import type { AuditEntry } from "../protocol/audit.ts";
import type { AgentEvent } from "../protocol/events.ts";
import type { Message } from "../protocol/messages.ts";
import type { LedgerEntry, SavedRun, SavedSession, SessionSummary, Stores } from "./stores.ts";

/** A session as one JSON document. */
export interface SessionDocument {
  readonly schemaVersion: 1;
  readonly exportedAt: number;
  readonly session: Pick<SessionSummary, "sessionId" | "createdAt" | "updatedAt" | "holder"> &
    Pick<SavedSession, "checkpoint" | "unansweredCalls" | "lastSeq">;
  readonly runs: readonly SavedRun[];
  readonly messages: readonly Message[];
  readonly events: readonly AgentEvent[];
  readonly costs: readonly LedgerEntry[];
  /** Newest first. */
  readonly audit: readonly AuditEntry[];
}

/** Exports a session as of its last commit; undefined when the id is unknown. */
export async function exportSession(
  stores: Stores,
  sessionId: string,
  at: number,
): Promise<SessionDocument | undefined> {
  const summary = (await stores.sessions.list()).find((session) => session.sessionId === sessionId);
  if (summary === undefined) return undefined;
  const { createdAt, updatedAt, holder } = summary;
  const { messages, runs, checkpoint, unansweredCalls, lastSeq } = await stores.sessions.load(sessionId);
  const events = await stores.events.after(sessionId, 0);
  return {
    schemaVersion: 1,
    exportedAt: at,
    session: {
      sessionId,
      createdAt,
      updatedAt,
      lastSeq,
      unansweredCalls,
      ...(checkpoint === undefined ? {} : { checkpoint }),
      ...(holder === undefined ? {} : { holder }),
    },
    runs,
    messages,
    events: events.filter(({ seq }) => seq <= lastSeq), // a commit may have added events since the load
    costs: await stores.costs.rows(sessionId),
    audit: await stores.audit.list({ sessionId }),
  };
}
