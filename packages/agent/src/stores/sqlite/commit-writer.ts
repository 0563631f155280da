import type { SqliteDatabase } from "@sheepdog/records";
import { keepShape } from "../../async/keep-shape.ts";
import { eventsAfter } from "../events-after.ts";
import { leaseLostError } from "../lease.ts";
import type { Holder, Lease, UnansweredCall } from "../stores.ts";
import { type CheckpointWriter, createCheckpointWriter, type Whole } from "./checkpoints.ts";
import type { CommitDraft } from "./commit-draft.ts";
import { type CostLedger, createCostLedger } from "./cost-ledger.ts";
import { noDatabase } from "./no-database.ts";
import { rowKey, rowKeyRange } from "./row-key.ts";

/** Where a session stands: what its next commit goes on from. */
export interface Standing {
  readonly key: number;
  readonly messages: number;
  readonly lastSeq: number;
  readonly runs: number;
  readonly runId: string | null;
  /** As JSON. */
  readonly unansweredCalls: string;
  /** The checkpoint that is there as a whole, where that is known. */
  readonly whole: Whole | undefined;
}

/**
 * Writes a commit, within a transaction, and says where it leaves the session. What it costs does not depend on how much the session holds, but for the first
 * commit of a run, which looks through the others. Where the session stood after the commit before may be told: then it is not looked for, only compared.
 */
export interface CommitWriter {
  write(lease: Lease, draft: CommitDraft, before?: Standing): Standing;
}

/** Makes what writes commits to a database. */
export function createCommitWriter(database: SqliteDatabase, books: CostLedger): CommitWriter {
  return new PreparedWriter(database, books);
}

class PreparedWriter implements CommitWriter {
  private readonly books: CostLedger;
  private readonly checkpoints: CheckpointWriter;
  private readonly find: Prepared;
  private readonly insertMessage: Prepared;
  private readonly insertEvents: Prepared;
  private readonly eventsFrom: Prepared;
  private readonly insertRun: Prepared;
  private readonly findRun: Prepared;
  private readonly update: Prepared;

  constructor(database: SqliteDatabase, books: CostLedger) {
    this.books = books;
    this.checkpoints = createCheckpointWriter(database);
    this.find = database.prepare(
      "SELECT key, messages, last_seq, runs, run_id, open_calls, fence, holder FROM sessions WHERE id = ?",
    );
    this.insertMessage = database.prepare("INSERT INTO messages VALUES (?, ?)");
    this.insertEvents = database.prepare("INSERT INTO events VALUES (?, ?)");
    this.eventsFrom = database.prepare("SELECT json FROM events WHERE place BETWEEN ? AND ?");
    this.insertRun = database.prepare("INSERT OR REPLACE INTO runs VALUES (?, ?, ?)");
    this.findRun = database.prepare("SELECT place FROM runs WHERE place BETWEEN ? AND ? AND run_id = ?");
    this.update = database.prepare(
      `UPDATE sessions SET created_at = coalesce(created_at, ?1), updated_at = ?1, renewed_at = ?1, messages = ?2, last_seq = ?3, runs = ?4, run_id = ?5, open_calls = ?6
       WHERE key = ?7 AND fence = ?8 AND holder IS NOT NULL AND messages = ?9 AND last_seq = ?10 AND runs = ?11 AND open_calls = ?12`,
    );
  }

  write(lease: Lease, draft: CommitDraft, known?: Standing): Standing {
    if (known !== undefined) {
      const after = this.goOn(lease, draft, known);
      if (after !== undefined) return after;
    }
    const after = this.goOn(lease, draft, this.standingOf(lease, known?.whole));
    if (after === undefined)
      throw new Error(`Expected session ${lease.sessionId} to stand where it was found a moment ago.`);
    return after;
  }

  /** Throws where the lease is another's by now. */
  private standingOf({ sessionId, fence }: Lease, whole: Whole | undefined): Standing {
    const session = this.find.get(sessionId) as Row | undefined; // the columns asked for
    if (session?.fence !== fence || session.holder === null)
      throw leaseLostError(sessionId, session?.holder ? (JSON.parse(session.holder) as Holder) : undefined);
    const { key, messages, last_seq: lastSeq, runs, run_id: runId, open_calls: unansweredCalls } = session;
    return { key, messages, lastSeq, runs, runId, unansweredCalls, whole };
  }

  /** Writes nothing where the session does not stand there, or the lease is another's. */
  private goOn({ fence }: Lease, draft: CommitDraft, before: Standing): Standing | undefined {
    const { key } = before;
    const run = draft.run && this.placeRun(before, draft.run.id);
    const messages = before.messages + draft.messages.length;
    const lastSeq = draft.events === undefined ? before.lastSeq : Math.max(before.lastSeq, draft.events.last);
    const runs = run?.isNew ? before.runs + 1 : before.runs;
    const runId = run?.isNew ? run.id : before.runId;
    const unansweredCalls = openCallsAfter(before.unansweredCalls, draft);
    const { changes } = this.update.run(
      // what is new, and where the session stood
      ...[draft.at, messages, lastSeq, runs, runId, unansweredCalls],
      ...[key, fence, before.messages, before.lastSeq, before.runs, before.unansweredCalls],
    );
    if (Number(changes) === 0) return undefined;
    for (const [n, json] of draft.messages.entries())
      this.insertMessage.get(rowKey(key, before.messages + n + 1), json);
    if (draft.events !== undefined) this.writeEvents(before, draft.events);
    const whole = draft.checkpoint ? this.checkpoints.write(key, draft.checkpoint) : before.whole;
    if (run !== undefined && draft.run !== undefined) this.insertRun.get(run.place, run.id, draft.run.json);
    for (const row of draft.costs) this.books.settle(row);
    return { key, messages, lastSeq, runs, runId, unansweredCalls, whole };
  }

  /** Events come in order; only where some were told before is it looked which. */
  private writeEvents(
    { key, lastSeq }: Standing,
    { all, first, last, json }: NonNullable<CommitDraft["events"]>,
  ): void {
    if (first > lastSeq) {
      this.insertEvents.get(rowKey(key, last), json);
      return;
    }
    const lists = this.eventsFrom.all(rowKey(key, first), rowKeyRange(key)[1]) as { readonly json: string }[]; // as asked for
    const told = new Set(
      eventsAfter(
        lists.map((list) => list.json),
        first - 1,
      ).map(({ seq }) => seq),
    );
    for (const event of all) {
      if (!told.has(event.seq)) this.insertEvents.get(rowKey(key, event.seq), JSON.stringify([event]));
      told.add(event.seq);
    }
  }

  private placeRun(
    { key, runs, runId }: Standing,
    id: string,
  ): { readonly id: string; readonly place: number; readonly isNew: boolean } {
    const newest = rowKey(key, runs);
    const known =
      runId === id
        ? newest
        : (this.findRun.get(...rowKeyRange(key), id) as { readonly place: number } | undefined)?.place; // as asked for
    return { id, place: known ?? newest + 1, isNew: known === undefined };
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

function openCallsAfter(before: string, { opened, closed }: CommitDraft): string {
  if (opened.length === 0 && (closed.length === 0 || before === "[]")) return before;
  const calls = new Map((JSON.parse(before) as UnansweredCall[]).map((call) => [call.callId, call])); // what was written here
  for (const call of opened) calls.set(call.callId, call);
  return JSON.stringify([...calls.values()].filter(({ callId }) => !closed.includes(callId)));
}

keepShape(createCommitWriter(noDatabase, createCostLedger(noDatabase)));
