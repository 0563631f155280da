import { logFolderOf, removeLogFolder } from "../logs/log-folders.ts";
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
}

/** Everything that is kept of a session; undefined where there is none of that id. One that is written to meanwhile is told as it was at its last commit. */
export async function exportSession(
  stores: Stores,
  sessionId: string,
  at: number,
): Promise<SessionDocument | undefined> {
  const summary = (await stores.sessions.list()).find((one) => one.sessionId === sessionId);
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
    events: events.filter(({ seq }) => seq <= lastSeq), // no later than the messages
    costs: await stores.costs.rows(sessionId),
  };
}

/** Removes a session and its logs; the books keep what it cost. Rejects, with nothing removed, while somebody writes to it. Says how many bytes of logs are gone. */
export async function removeSession(
  stores: Stores,
  { sessionId, logDir, at }: { readonly sessionId: string; readonly logDir?: string; readonly at: number },
): Promise<{ readonly logBytes: number }> {
  await stores.sessions.remove(sessionId, at);
  let logBytes = 0;
  for (const folder of logDir === undefined ? [] : await logFolderOf(logDir, sessionId)) {
    await removeLogFolder(folder);
    logBytes += folder.bytes;
  }
  return { logBytes };
}
