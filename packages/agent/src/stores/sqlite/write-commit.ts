import type { SqliteDatabase } from "@sheepdog/records";
import { eventsAfter } from "../events-after.ts";
import { leaseLost } from "../lease.ts";
import type { Holder, Lease, OpenCall } from "../stores.ts";
import type { Books } from "./books.ts";
import { createCheckpointWriter, type Whole } from "./checkpoints.ts";
import type { Draft } from "./draft-commit.ts";
import { placeOf, placesOf } from "./place.ts";

/**
 * Writes a commit, within a transaction, and says which checkpoint is now there as a whole. What it costs does not depend on how much the session holds, but for
 * the first commit of a run, which looks through the others.
 */
export function createCommitWriter(database: SqliteDatabase, books: Books): (lease: Lease, draft: Draft) => Whole | undefined {
  const find = database.prepare("SELECT key, messages, last_seq, runs, run_id, open_calls, fence, holder FROM sessions WHERE id = ?");
  const insertMessage = database.prepare("INSERT INTO messages VALUES (?, ?)");
  const insertEvents = database.prepare("INSERT INTO events VALUES (?, ?)");
  const eventsFrom = database.prepare("SELECT json FROM events WHERE place BETWEEN ? AND ?");
  const writeCheckpoint = createCheckpointWriter(database);
  const insertRun = database.prepare("INSERT OR REPLACE INTO runs VALUES (?, ?, ?)");
  const findRun = database.prepare("SELECT place FROM runs WHERE place BETWEEN ? AND ? AND run_id = ?");
  const update = database.prepare(
    `UPDATE sessions SET created_at = coalesce(created_at, ?2), updated_at = ?2, renewed_at = ?2, messages = ?3, last_seq = ?4, runs = ?5, run_id = ?6, open_calls = ?7
     WHERE key = ?1`,
  );

  /** Events come in order; only where some were told before is it looked which. */
  const writeEvents = (session: Row, { all, first, last, json }: NonNullable<Draft["events"]>) => {
    if (first > session.last_seq) {
      insertEvents.run(placeOf(session.key, last), json);
      return;
    }
    const lists = eventsFrom.all(placeOf(session.key, first), placesOf(session.key)[1]) as { readonly json: string }[]; // as asked for
    const told = new Set(
      eventsAfter(
        lists.map((list) => list.json),
        first - 1,
      ).map(({ seq }) => seq),
    );
    for (const event of all) {
      if (!told.has(event.seq)) insertEvents.run(placeOf(session.key, event.seq), JSON.stringify([event]));
      told.add(event.seq);
    }
  };
  const writeRun = (session: Row, { id, json }: NonNullable<Draft["run"]>) => {
    const newest = placeOf(session.key, session.runs);
    const known = session.run_id === id ? newest : (findRun.get(...placesOf(session.key), id) as { readonly place: number } | undefined)?.place; // as asked for
    insertRun.run(known ?? newest + 1, id, json);
    return known === undefined ? { runs: session.runs + 1, runId: id } : { runs: session.runs, runId: session.run_id };
  };

  return ({ sessionId, fence }, draft) => {
    const session = find.get(sessionId) as Row | undefined; // the columns asked for
    if (session?.fence !== fence || session.holder === null) throw leaseLost(sessionId, session?.holder ? (JSON.parse(session.holder) as Holder) : undefined);
    for (const [n, json] of draft.messages.entries()) insertMessage.run(placeOf(session.key, session.messages + n + 1), json);
    if (draft.events !== undefined) writeEvents(session, draft.events);
    const whole = draft.checkpoint && writeCheckpoint(session.key, draft.checkpoint);
    const { runs, runId } = draft.run === undefined ? { runs: session.runs, runId: session.run_id } : writeRun(session, draft.run);
    for (const row of draft.costs) books.settle(row);
    const lastSeq = Math.max(session.last_seq, draft.events?.last ?? 0);
    update.run(session.key, draft.at, session.messages + draft.messages.length, lastSeq, runs, runId, openCalls(session.open_calls, draft));
    return whole;
  };
}

interface Row {
  readonly key: number;
  readonly messages: number;
  readonly last_seq: number;
  readonly runs: number;
  readonly run_id: string | null;
  readonly open_calls: string;
  readonly fence: number;
  readonly holder: string | null;
}

function openCalls(before: string, { opened, closed }: Draft): string {
  if (opened.length === 0 && (closed.size === 0 || before === "[]")) return before;
  const calls = new Map((JSON.parse(before) as OpenCall[]).map((call) => [call.callId, call])); // what was written here
  for (const call of opened) calls.set(call.callId, call);
  return JSON.stringify([...calls.values()].filter(({ callId }) => !closed.has(callId)));
}
