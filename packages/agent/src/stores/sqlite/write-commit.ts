import type { SqliteDatabase } from "@sheepdog/records";
import { eventsAfter } from "../events-after.ts";
import { leaseLost } from "../lease.ts";
import type { Holder, Lease, OpenCall } from "../stores.ts";
import type { Books } from "./books.ts";
import { type CheckpointWriter, createCheckpointWriter, type Whole } from "./checkpoints.ts";
import type { Draft } from "./draft-commit.ts";
import { placeOf, placesOf } from "./place.ts";

/**
 * Writes a commit, within a transaction, and says which checkpoint is now there as a whole. What it costs does not depend on how much the session holds, but for
 * the first commit of a run, which looks through the others.
 */
export interface CommitWriter {
  write(lease: Lease, draft: Draft): Whole | undefined;
}

/** Makes what writes commits to a database. */
export function createCommitWriter(database: SqliteDatabase, books: Books): CommitWriter {
  return new PreparedWriter(database, books);
}

class PreparedWriter implements CommitWriter {
  private readonly books: Books;
  private readonly checkpoints: CheckpointWriter;
  private readonly find: Prepared;
  private readonly insertMessage: Prepared;
  private readonly insertEvents: Prepared;
  private readonly eventsFrom: Prepared;
  private readonly insertRun: Prepared;
  private readonly findRun: Prepared;
  private readonly update: Prepared;

  constructor(database: SqliteDatabase, books: Books) {
    this.books = books;
    this.checkpoints = createCheckpointWriter(database);
    this.find = database.prepare("SELECT key, messages, last_seq, runs, run_id, open_calls, fence, holder FROM sessions WHERE id = ?");
    this.insertMessage = database.prepare("INSERT INTO messages VALUES (?, ?)");
    this.insertEvents = database.prepare("INSERT INTO events VALUES (?, ?)");
    this.eventsFrom = database.prepare("SELECT json FROM events WHERE place BETWEEN ? AND ?");
    this.insertRun = database.prepare("INSERT OR REPLACE INTO runs VALUES (?, ?, ?)");
    this.findRun = database.prepare("SELECT place FROM runs WHERE place BETWEEN ? AND ? AND run_id = ?");
    this.update = database.prepare(
      `UPDATE sessions SET created_at = coalesce(created_at, ?2), updated_at = ?2, renewed_at = ?2, messages = ?3, last_seq = ?4, runs = ?5, run_id = ?6, open_calls = ?7
       WHERE key = ?1`,
    );
  }

  write({ sessionId, fence }: Lease, draft: Draft): Whole | undefined {
    const session = this.find.get(sessionId) as Row | undefined; // the columns asked for
    if (session?.fence !== fence || session.holder === null) throw leaseLost(sessionId, session?.holder ? (JSON.parse(session.holder) as Holder) : undefined);
    const { key } = session;
    let { messages, last_seq: lastSeq, runs, run_id: runId } = session;
    for (const json of draft.messages) {
      messages += 1;
      this.insertMessage.run(placeOf(key, messages), json);
    }
    if (draft.events !== undefined) {
      this.writeEvents(session, draft.events);
      lastSeq = Math.max(lastSeq, draft.events.last);
    }
    const whole = draft.checkpoint && this.checkpoints.write(key, draft.checkpoint);
    if (draft.run !== undefined && this.writeRun(session, draft.run)) {
      runs += 1;
      runId = draft.run.id;
    }
    for (const row of draft.costs) this.books.settle(row);
    this.update.run(key, draft.at, messages, lastSeq, runs, runId, openCalls(session.open_calls, draft));
    return whole;
  }

  /** Events come in order; only where some were told before is it looked which. */
  private writeEvents(session: Row, { all, first, last, json }: NonNullable<Draft["events"]>): void {
    if (first > session.last_seq) {
      this.insertEvents.run(placeOf(session.key, last), json);
      return;
    }
    const lists = this.eventsFrom.all(placeOf(session.key, first), placesOf(session.key)[1]) as { readonly json: string }[]; // as asked for
    const told = new Set(
      eventsAfter(
        lists.map((list) => list.json),
        first - 1,
      ).map(({ seq }) => seq),
    );
    for (const event of all) {
      if (!told.has(event.seq)) this.insertEvents.run(placeOf(session.key, event.seq), JSON.stringify([event]));
      told.add(event.seq);
    }
  }

  /** Whether it is one more. */
  private writeRun(session: Row, { id, json }: NonNullable<Draft["run"]>): boolean {
    const newest = placeOf(session.key, session.runs);
    const known = session.run_id === id ? newest : (this.findRun.get(...placesOf(session.key), id) as { readonly place: number } | undefined)?.place; // as asked for
    this.insertRun.run(known ?? newest + 1, id, json);
    return known === undefined;
  }
}

type Prepared = ReturnType<SqliteDatabase["prepare"]>;

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
  if (opened.length === 0 && (closed.length === 0 || before === "[]")) return before;
  const calls = new Map((JSON.parse(before) as OpenCall[]).map((call) => [call.callId, call])); // what was written here
  for (const call of opened) calls.set(call.callId, call);
  return JSON.stringify([...calls.values()].filter(({ callId }) => !closed.includes(callId)));
}
