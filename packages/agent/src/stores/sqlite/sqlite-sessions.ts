import { parseJson } from "../../protocol/json.ts";
import type { Message } from "../../protocol/messages.ts";
import { isGone } from "../holder.ts";
import { isLeaseActive } from "../lease.ts";
import { checkStoredName } from "../stored-name.ts";
import type {
  Checkpoint,
  Holder,
  RunLocation,
  SavedRun,
  SavedSession,
  SessionStore,
  SessionSummary,
  UnansweredCall,
} from "../stores.ts";
import { draftCommit } from "./commit-draft.ts";
import { createCommitWriter } from "./commit-writer.ts";
import { createCostLedger } from "./cost-ledger.ts";
import type { Sqlite } from "./open-sqlite.ts";
import { rowKeyRange, rowKeysPerSession } from "./row-key.ts";
import { isCheckpoint, isMessage, isRun } from "./row-validation.ts";
import { createSessionRemoval } from "./session-removal.ts";

/** The sessions of a database. */
export function sqliteSessions({ safe, light, onForeignRow }: Sqlite): SessionStore {
  const { database } = light;
  const ledger = createCostLedger(database);
  const writeCommit = createCommitWriter(database, ledger);
  const findSession = database.prepare(
    "SELECT key, last_seq, unanswered_calls, holder, renewed_at FROM sessions WHERE id = ?",
  );
  const hasOtherRows = database.prepare(
    `SELECT 1 FROM sessions WHERE id = ? AND (messages <> ${lastRowNumber("messages")}
     OR runs <> ${lastRowNumber("runs")} OR last_seq < ${lastRowNumber("events")})`,
  );
  const findMessages = database.prepare("SELECT json FROM messages WHERE row_key BETWEEN ? AND ?");
  const findRuns = database.prepare("SELECT json FROM runs WHERE row_key BETWEEN ? AND ?");
  const findCheckpoint = database.prepare("SELECT json FROM checkpoints WHERE session = ?");
  const nextFence = database.prepare("UPDATE fences SET last = last + 1 RETURNING last");
  const claimSession = database.prepare(
    `INSERT INTO sessions (id, fence, holder, renewed_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET fence = excluded.fence, holder = excluded.holder, renewed_at = excluded.renewed_at`,
  );
  const renewLease = database.prepare(
    "UPDATE sessions SET renewed_at = ? WHERE id = ? AND fence = ? AND holder IS NOT NULL",
  );
  const releaseLease = database.prepare("UPDATE sessions SET holder = NULL WHERE id = ? AND fence = ?");
  const listSessions = database.prepare(
    `SELECT id, created_at, updated_at, messages, holder, renewed_at, json AS last_run
     FROM sessions LEFT JOIN runs ON row_key = key * ${rowKeysPerSession} + runs
     WHERE updated_at IS NOT NULL ORDER BY updated_at DESC, key DESC`,
  );
  const findRunsFrom = database.prepare(
    `SELECT id AS sessionId, runs.run_id AS runId
     FROM runs CROSS JOIN sessions ON key = row_key / ${rowKeysPerSession}
     WHERE runs.run_id >= ? AND runs.run_id < ? ORDER BY runs.run_id LIMIT ?`,
  );

  /** Another program may have edited a row: what is not as it was written is refused, or left out for a reader. */
  const parseRows = <T>(rows: readonly unknown[], isValid: (value: unknown) => boolean, what: string): readonly T[] =>
    (rows as readonly JsonRow[]).flatMap(({ json }) => {
      const value = parseJson(json);
      if (isValid(value)) return [value as T]; // checked
      if (onForeignRow === undefined)
        throw new Error(`The session has a ${what} that this program did not write; it is not used.`);
      onForeignRow();
      return [];
    });

  return {
    load: (sessionId, skipMessages = 0) =>
      light.read((): SavedSession => {
        const session = findSession.get(sessionId) as SessionRow | undefined; // the selected columns
        if (session === undefined) return { messages: [], unansweredCalls: [], runs: [], lastSeq: 0 };
        if (onForeignRow === undefined && hasOtherRows.get(sessionId) !== undefined)
          throw new Error(`Session ${sessionId} does not have the rows that it should have; it is not used.`);
        const [first, last] = rowKeyRange(session.key);
        const firstMessage = Math.min(last, first + 1 + Math.max(0, Math.trunc(skipMessages)));
        const savedCheckpoint = findCheckpoint.all(session.key);
        const [checkpoint] = parseRows<Checkpoint>(savedCheckpoint, isCheckpoint, "checkpoint");
        const calls = [{ json: session.unanswered_calls }];
        const [unansweredCalls = []] = parseRows<UnansweredCall[]>(calls, Array.isArray, "list of calls");
        return {
          messages: parseRows<Message>(findMessages.all(firstMessage, last), isMessage, "message"),
          unansweredCalls,
          runs: parseRows<SavedRun>(findRuns.all(first, last), isRun, "run"),
          lastSeq: session.last_seq,
          ...(checkpoint === undefined ? {} : { checkpoint }),
        };
      }),
    async claim(sessionId, holder, at) {
      checkStoredName("id of a session", sessionId);
      return light.write(() => {
        const current = activeHolder(findSession.get(sessionId) as SessionRow | undefined, at);
        if (current !== undefined && current.id !== holder.id) return { ok: false, holder: current };
        ledger.markUnconfirmed(sessionId);
        const { last: fence } = nextFence.get() as { readonly last: number }; // the table has one row
        claimSession.run(sessionId, fence, JSON.stringify(holder), at);
        return { ok: true, lease: { sessionId, fence } };
      });
    },
    renew: ({ sessionId, fence }, at) => light.write(() => Number(renewLease.run(at, sessionId, fence).changes) === 1),
    release: ({ sessionId, fence }) => light.write(() => void releaseLease.run(sessionId, fence)),
    async commit(lease, commit) {
      const draft = draftCommit(lease.sessionId, commit);
      await safe.write(() => writeCommit(lease, draft));
    },
    list: () => light.read(() => (listSessions.all() as ListRow[]).map(summaryOf)),
    findRuns: (start, limit) =>
      light.read(() => {
        const rows = findRunsFrom.all(start, `${start}${lastCharacter}`, Math.max(0, Math.trunc(limit)));
        return rows.map((row) => ({ ...(row as RunLocation) })); // the selected columns
      }),
    remove: createSessionRemoval({ safe, light }, activeHolder, ledger),
  };
}

/** The number of the last row of a session: one lookup. */
const lastRowNumber = (table: string) =>
  `coalesce((SELECT max(row_key) - key * ${rowKeysPerSession} FROM ${table}
    WHERE row_key BETWEEN key * ${rowKeysPerSession} AND (key + 1) * ${rowKeysPerSession} - 1), 0)`;

/** Sorts behind all others. */
const lastCharacter = "\u{10ffff}";

interface JsonRow {
  readonly json: string;
}

interface SessionRow {
  readonly key: number;
  readonly last_seq: number;
  readonly unanswered_calls: string;
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

function activeHolder(session: Pick<SessionRow, "holder" | "renewed_at"> | undefined, at: number): Holder | undefined {
  const holder = holderOf(session?.holder ?? null);
  return session !== undefined && holder !== undefined && isLeaseActive(holder, session.renewed_at, at)
    ? holder
    : undefined;
}

function summaryOf({ id, created_at, updated_at, messages, holder, renewed_at, last_run }: ListRow): SessionSummary {
  const current = holderOf(holder);
  const run = parseJson(last_run ?? "null");
  return {
    sessionId: id,
    createdAt: created_at,
    updatedAt: updated_at,
    messages,
    ...(isRun(run) ? { lastRun: run as SavedRun } : {}), // checked
    ...(current === undefined || isGone(current) ? {} : { holder: current, renewedAt: renewed_at }),
  };
}

/** Undefined also for what another program wrote there. */
function holderOf(json: string | null): Holder | undefined {
  const holder = parseJson(json ?? "null") as Holder | null | undefined; // checked below
  return typeof holder?.id === "string" ? holder : undefined;
}
