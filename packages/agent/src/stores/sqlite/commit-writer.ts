import type { SqliteDatabase } from "@sheepdog/records";
import { leaseLostError } from "../lease.ts";
import { eventsAfter, withoutStored } from "../saved-events.ts";
import type { Holder, Lease, UnansweredCall } from "../stores.ts";
import { type CommitDraft, draftEvents, type EventsDraft } from "./commit-draft.ts";
import type { CostLedger } from "./cost-ledger.ts";
import { rowKey, rowKeyRange } from "./row-key.ts";
import { createAuditWriter } from "./sqlite-audit.ts";
import { createLessonWriter } from "./sqlite-lessons.ts";

/** Writes a commit within a transaction. Throws `LeaseLostError` when the lease is no longer valid. */
export type CommitWriter = (lease: Lease, draft: CommitDraft) => void;

/**
 * Prepares the statements that write commits. The cost of a commit does not depend on the length of the session, except
 * for the first commit of a run, which searches the session's other runs.
 */
export function createCommitWriter(database: SqliteDatabase, ledger: CostLedger): CommitWriter {
  const findSession = database.prepare(
    "SELECT key, messages, last_seq, runs, run_id, unanswered_calls, fence, holder FROM sessions WHERE id = ?",
  );
  const updateSession = database.prepare(
    `UPDATE sessions SET created_at = coalesce(created_at, ?1), updated_at = ?1, renewed_at = ?1,
       messages = ?2, last_seq = ?3, runs = ?4, run_id = ?5, unanswered_calls = ?6 WHERE key = ?7`,
  );
  const insertMessage = database.prepare("INSERT INTO messages VALUES (?, ?)");
  const insertEvents = database.prepare("INSERT INTO events VALUES (?, ?)");
  const insertBatch = database.prepare("INSERT INTO event_batches (row_key) VALUES (?)");
  const findEvents = database.prepare("SELECT json FROM events WHERE row_key BETWEEN ? AND ?");
  const upsertRun = database.prepare("INSERT OR REPLACE INTO runs VALUES (?, ?, ?)");
  const findRun = database.prepare("SELECT row_key FROM runs WHERE row_key BETWEEN ? AND ? AND run_id = ?");
  const upsertCheckpoint = database.prepare("INSERT OR REPLACE INTO checkpoints VALUES (?, ?)");

  const addAudit = createAuditWriter(database);
  const learn = createLessonWriter(database);

  const findCursor = ({ sessionId, fence }: Lease): SessionCursor => {
    const session = findSession.get(sessionId) as SessionCursor | undefined; // the selected columns
    if (session?.fence !== fence || session.holder === null)
      throw leaseLostError(sessionId, session?.holder ? (JSON.parse(session.holder) as Holder) : undefined);
    return session;
  };

  const findRunRow = ({ key, runs, run_id }: SessionCursor, runId: string) => {
    const lastRow = rowKey(key, runs);
    if (run_id === runId) return { row: lastRow, isNew: false };
    const existing = findRun.get(...rowKeyRange(key), runId) as { readonly row_key: number } | undefined;
    return { row: existing?.row_key ?? lastRow + 1, isNew: existing === undefined };
  };

  /** Events normally arrive in order. Only when some are older than the last one are stored duplicates searched. */
  const findNewEvents = ({ key, last_seq }: SessionCursor, draft: EventsDraft): EventsDraft | undefined => {
    if (draft.firstSeq > last_seq) return draft;
    const storedLists = findEvents.all(rowKey(key, draft.firstSeq), rowKeyRange(key)[1]) as { readonly json: string }[];
    const storedEvents = eventsAfter(
      storedLists.map(({ json }) => json),
      draft.firstSeq - 1,
    );
    const storedSeqs = new Set(storedEvents.map(({ seq }) => seq));
    return draftEvents(withoutStored(draft.all, storedSeqs));
  };

  /** One row for the events of a commit, with the key of its newest event; and its place in the order of all events. */
  const writeEvents = (session: SessionCursor, draft: EventsDraft) => {
    const added = findNewEvents(session, draft);
    if (added === undefined) return;
    const row = rowKey(session.key, added.lastSeq);
    insertEvents.run(row, added.json);
    insertBatch.run(row);
  };

  return (lease, draft) => {
    const session = findCursor(lease);
    const { key } = session;
    const run = draft.run && { ...draft.run, ...findRunRow(session, draft.run.id) };
    updateSession.run(
      draft.at,
      session.messages + draft.messages.length,
      Math.max(session.last_seq, draft.events?.lastSeq ?? 0),
      run?.isNew ? session.runs + 1 : session.runs,
      run?.isNew ? run.id : session.run_id,
      unansweredCallsAfter(session.unanswered_calls, draft),
      key,
    );
    for (const [index, json] of draft.messages.entries())
      insertMessage.run(rowKey(key, session.messages + index + 1), json);
    if (draft.events !== undefined) writeEvents(session, draft.events);
    if (draft.checkpoint !== undefined) upsertCheckpoint.run(key, draft.checkpoint);
    if (run !== undefined) upsertRun.run(run.row, run.id, run.json);
    for (const row of draft.costs) ledger.settle(row);
    addAudit(draft.audit);
    for (const lesson of draft.lessons) learn(lesson);
  };
}

/** The row of a session, from which the next commit continues. */
interface SessionCursor {
  readonly key: number;
  readonly messages: number;
  readonly last_seq: number;
  readonly runs: number;
  readonly run_id: string | null;
  readonly unanswered_calls: string;
  readonly fence: number;
  readonly holder: string | null;
}

function unansweredCallsAfter(json: string, { newCalls, answeredCalls }: CommitDraft): string {
  const stored = JSON.parse(json) as UnansweredCall[]; // written by this store
  const calls = new Map(stored.map((call) => [call.callId, call]));
  for (const call of newCalls) calls.set(call.callId, call);
  for (const callId of answeredCalls) calls.delete(callId);
  return JSON.stringify([...calls.values()]);
}
