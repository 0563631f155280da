import { keepShape } from "../../async/keep-shape.ts";
import type { Message } from "../../protocol/messages.ts";
import { eventsAfter } from "../events-after.ts";
import { isGone } from "../holder.ts";
import { isLeaseActive } from "../lease.ts";
import { checkStoredName } from "../stored-name.ts";
import type {
  Commit,
  EventStore,
  Holder,
  Lease,
  SavedRun,
  SavedSession,
  SessionStore,
  SessionSummary,
  UnansweredCall,
} from "../stores.ts";
import { checkpointOf } from "./checkpoint-parts.ts";
import type { Whole } from "./checkpoints.ts";
import { draftCommit } from "./commit-draft.ts";
import { type CommitWriter, createCommitWriter, type Standing } from "./commit-writer.ts";
import { createCostLedger } from "./cost-ledger.ts";
import { noDatabase } from "./no-database.ts";
import type { Sqlite } from "./open-sqlite.ts";
import { rowKey, rowKeyRange } from "./row-key.ts";
import { createSessionRemoval } from "./session-removal.ts";

/** Sessions of a database. */
export function sqliteSessions({ safe, light }: Sqlite): SessionStore {
  const { database } = light;
  const books = createCostLedger(database);
  const commits = new Commits(safe, createCommitWriter(database, books));
  const find = database.prepare("SELECT key, last_seq, open_calls, holder, renewed_at FROM sessions WHERE id = ?");
  const messagesOf = database.prepare("SELECT json FROM messages WHERE place BETWEEN ? AND ?");
  const runsOf = database.prepare("SELECT json FROM runs WHERE place BETWEEN ? AND ?");
  const findCheckpoint = database.prepare(
    "SELECT whole.json AS whole, changes.json AS changes FROM checkpoints AS whole JOIN checkpoint_changes AS changes USING (session, n) WHERE session = ?",
  );
  const nextFence = database.prepare("UPDATE fences SET last = last + 1 RETURNING last");
  const claim = database.prepare(
    `INSERT INTO sessions (id, fence, holder, renewed_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET fence = excluded.fence, holder = excluded.holder, renewed_at = excluded.renewed_at`,
  );
  const renew = database.prepare(
    "UPDATE sessions SET renewed_at = ? WHERE id = ? AND fence = ? AND holder IS NOT NULL",
  );
  const release = database.prepare("UPDATE sessions SET holder = NULL WHERE id = ? AND fence = ?");
  const list = database.prepare(
    `SELECT id, created_at, updated_at, messages, holder, renewed_at, json AS last_run FROM sessions LEFT JOIN runs ON place = key * ${rowKey(1, 0)} + runs
     WHERE updated_at IS NOT NULL ORDER BY updated_at DESC, key DESC`,
  );

  return {
    load: (sessionId) =>
      light.read(() => {
        const session = find.get(sessionId) as Row | undefined; // the columns asked for
        if (session === undefined)
          return { messages: [], unansweredCalls: [], runs: [], lastSeq: 0 } satisfies SavedSession;
        const checkpoint = findCheckpoint.get(session.key) as
          | { readonly whole: string; readonly changes: string }
          | undefined; // as asked for
        return {
          messages: parsed<Message>(messagesOf.iterate(...rowKeyRange(session.key))),
          unansweredCalls: JSON.parse(session.open_calls) as UnansweredCall[], // what was written here
          runs: parsed<SavedRun>(runsOf.iterate(...rowKeyRange(session.key))),
          lastSeq: session.last_seq,
          ...(checkpoint === undefined ? {} : { checkpoint: checkpointOf(checkpoint.whole, checkpoint.changes) }),
        };
      }),
    async claim(sessionId, holder, at) {
      checkStoredName("id of a session", sessionId);
      return light.write(() => {
        const holding = heldBy(find.get(sessionId), at);
        if (holding !== undefined && holding.id !== holder.id) return { ok: false, holder: holding };
        books.markUnconfirmed(sessionId);
        const { last: fence } = nextFence.get() as { readonly last: number }; // its one row
        claim.run(sessionId, fence, JSON.stringify(holder), at);
        return { ok: true, lease: { sessionId, fence } };
      });
    },
    renew: ({ sessionId, fence }, at) => light.write(() => Number(renew.run(at, sessionId, fence).changes) === 1),
    release: ({ sessionId, fence }) => light.write(() => void release.run(sessionId, fence)),
    commit: commits.make.bind(commits),
    list: () => light.read(() => (list.all() as ListRow[]).map(summaryOf)), // the columns asked for
    remove: createSessionRemoval({ safe, light }, heldBy),
  };
}

class Commits {
  private readonly safe: Sqlite["safe"];
  private readonly writer: CommitWriter;
  /** Where the commits of a lease have left its session. */
  private readonly standing = new WeakMap<Lease, Standing>();

  constructor(safe: Sqlite["safe"], writer: CommitWriter) {
    this.safe = safe;
    this.writer = writer;
  }

  async make(lease: Lease, commit: Commit): Promise<void> {
    const before = this.standing.get(lease);
    const draft = draftCommit(lease.sessionId, commit, before?.whole);
    const after = await this.safe.write(() => this.writer.write(lease, draft, before));
    const whole = newer(after.whole, this.standing.get(lease)?.whole);
    this.standing.set(lease, whole === after.whole ? after : { ...after, whole });
  }
}

/** Commits that were begun at the same time know nothing of each other's checkpoints. */
function newer(one: Whole | undefined, other: Whole | undefined): Whole | undefined {
  return (one?.n ?? 0) < (other?.n ?? 0) ? other : one;
}

/** Events of a database. */
export function sqliteEvents({ light }: Sqlite): EventStore {
  const find = light.database.prepare("SELECT key FROM sessions WHERE id = ?");
  const after = light.database.prepare("SELECT json FROM events WHERE place > ? AND place <= ?");
  return {
    after: (sessionId, seq) =>
      light.read(() => {
        const session = find.get(sessionId) as Pick<Row, "key"> | undefined; // the column asked for
        if (session === undefined) return [];
        const [first, last] = rowKeyRange(session.key);
        const lists = after.all(Math.min(last, first + Math.max(0, seq)), last) as Json[]; // the column asked for
        return eventsAfter(
          lists.map(({ json }) => json),
          seq,
        );
      }),
  };
}

interface Json {
  readonly json: string;
}

interface Row {
  readonly key: number;
  readonly last_seq: number;
  readonly open_calls: string;
  readonly holder: string | null;
  readonly renewed_at: number;
}

interface ListRow {
  readonly id: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly messages: number;
  readonly holder: string | null;
  readonly renewed_at: number;
  readonly last_run: string | null;
}

function parsed<T>(rows: Iterable<unknown>): readonly T[] {
  return Array.from(rows as Iterable<Json>, ({ json }) => JSON.parse(json) as T); // what was written here
}

function heldBy(row: unknown, at: number): Holder | undefined {
  const session = row as Row | undefined; // of the table of sessions
  if (session === undefined || session.holder === null) return undefined;
  const holder = JSON.parse(session.holder) as Holder; // what was written here
  return isLeaseActive(holder, session.renewed_at, at) ? holder : undefined;
}

function summaryOf({ id, created_at, updated_at, messages, holder, renewed_at, last_run }: ListRow): SessionSummary {
  const held = holder === null ? undefined : (JSON.parse(holder) as Holder); // both: what was written here
  return {
    sessionId: id,
    createdAt: created_at,
    updatedAt: updated_at,
    messages,
    ...(last_run === null ? {} : { lastRun: JSON.parse(last_run) as SavedRun }),
    ...(held === undefined || isGone(held) ? {} : { holder: held, renewedAt: renewed_at }),
  };
}

keepShape(new Commits({} as Sqlite["safe"], createCommitWriter(noDatabase, createCostLedger(noDatabase)))); // of no connection
