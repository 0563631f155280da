import type { SqliteDatabase } from "@sheepdog/records";
import { dayOf, monthOf } from "../utc.ts";
import { wordsOf } from "../words.ts";
import { addMissingBatches } from "./migrations.ts";
import { rowKey, rowKeyRange, rowKeysPerSession } from "./row-key.ts";

/** What could not be copied from a damaged database. */
export interface SalvageReport extends RepairReport {
  /** Whether the ledger may lack amounts. */
  readonly areAmountsLost: boolean;
  /** What the damaged database says was spent, by day and month; undefined if that cannot be read. */
  readonly balances?: ReadonlyMap<string, number> | undefined;
}

/** What the copied rows lack. */
interface RepairReport {
  /** Sentences about what is lost. */
  readonly lost: readonly string[];
  /** Ids of sessions that miss messages or runs. */
  readonly incomplete: ReadonlySet<string>;
}

const sessionTables = ["messages", "runs", "events"] as const;

/** Makes salvaged rows consistent and derives balances, counters and the full-text index. Runs in a transaction. */
export function repairSalvagedRows(database: SqliteDatabase, savedFence: number): RepairReport {
  const lost: string[] = [];
  deleteRemovedSessions(database);
  lost.push(...createMissingSessions(database));
  restoreSessionIds(database);
  restoreBatches(database);
  const counters = restoreCounters(database);
  restoreBalances(database);
  restoreFactWords(database);
  restoreFence(database, savedFence);
  return { lost: [...lost, ...counters.lost], incomplete: counters.incomplete };
}

function deleteRemovedSessions(database: SqliteDatabase): void {
  const removals = database.prepare("SELECT session FROM removals").all() as { readonly session: number }[];
  for (const { session } of removals)
    for (const table of sessionTables)
      database.prepare(`DELETE FROM ${table} WHERE row_key BETWEEN ? AND ?`).run(...rowKeyRange(session));
  database.exec("DELETE FROM removals");
}

/** Rows without a session get one: with the id in their events or in the cost ledger, or else with a new id. */
function createMissingSessions(database: SqliteDatabase): readonly string[] {
  const lost: string[] = [];
  const keysInUse = sessionTables
    .map((table) => `SELECT row_key / ${rowKeysPerSession} AS key FROM ${table}`)
    .join(" UNION ");
  const orphans = database
    .prepare(`SELECT key FROM (${keysInUse}) WHERE key NOT IN (SELECT key FROM sessions) ORDER BY key`)
    .all() as { readonly key: number }[]; // the selected column
  const moveEmptySession = database.prepare(`UPDATE sessions SET key = ? WHERE id = ? AND key NOT IN (${keysInUse})`);
  const insertSession = database.prepare(
    "INSERT INTO sessions (key, id, fence, renewed_at) VALUES (?, ?, 0, 0) ON CONFLICT DO NOTHING",
  );
  for (const { key } of orphans) {
    const id = idFromEvents(database, key) ?? idFromLedger(database, key);
    const isCreated =
      id !== undefined &&
      [moveEmptySession, insertSession].some((statement) => Number(statement.run(key, id).changes) > 0);
    if (isCreated) continue;
    insertSession.run(key, `recovered-${key}`);
    lost.push(`the name of a session: what is left of it is now called recovered-${key}`);
  }
  database.exec("DELETE FROM checkpoints WHERE session NOT IN (SELECT key FROM sessions)");
  return lost;
}

/** A session whose id is damaged gets the id in its events. */
function restoreSessionIds(database: SqliteDatabase): void {
  const updateId = database.prepare("UPDATE OR IGNORE sessions SET id = ? WHERE key = ?");
  const sessions = database.prepare("SELECT key, id FROM sessions").all() as {
    readonly key: number;
    readonly id: string;
  }[]; // the selected columns
  for (const { key, id } of sessions) {
    const idInEvents = idFromEvents(database, key);
    if (idInEvents !== undefined && idInEvents !== id) updateId.run(idInEvents, key);
  }
}

/**
 * Events keep the position that they had. Those whose position is lost get a new one above all others: a reader may get
 * them twice, but it misses none. The sequence of a new database starts above the positions of older ones.
 */
function restoreBatches(database: SqliteDatabase): void {
  database.exec("DELETE FROM event_batches WHERE row_key NOT IN (SELECT row_key FROM events)");
  database.exec(addMissingBatches);
}

function idFromEvents(database: SqliteDatabase, key: number): string | undefined {
  const row = database
    .prepare("SELECT json FROM events WHERE row_key BETWEEN ? AND ? LIMIT 1")
    .get(...rowKeyRange(key)) as { readonly json: string } | undefined; // the selected column
  if (row === undefined) return undefined;
  const events = JSON.parse(row.json) as readonly { readonly sessionId: string }[]; // validated when it was copied
  return events[0]?.sessionId;
}

function idFromLedger(database: SqliteDatabase, key: number): string | undefined {
  const runIds = "SELECT run_id FROM runs WHERE row_key BETWEEN ? AND ?";
  const row = database
    .prepare(`SELECT session_id FROM costs WHERE run_id IN (${runIds}) LIMIT 1`)
    .get(...rowKeyRange(key));
  return (row as { readonly session_id: string } | undefined)?.session_id; // the selected column
}

/** Sets the counters and times of sessions by the rows that exist. Reports the sessions that miss rows. */
function restoreCounters(database: SqliteDatabase): RepairReport {
  const rowsOf = (table: string) =>
    `FROM ${table} WHERE row_key BETWEEN key * ${rowKeysPerSession} AND (key + 1) * ${rowKeysPerSession} - 1`;
  const lastRow = (table: string) => `coalesce((SELECT max(row_key) ${rowsOf(table)}) - key * ${rowKeysPerSession}, 0)`;
  const sessions = database
    .prepare(
      `SELECT key, id, messages, last_seq, runs, created_at, updated_at,
         (SELECT count(*) ${rowsOf("messages")}) AS message_count, ${lastRow("messages")} AS last_message,
         (SELECT count(*) ${rowsOf("runs")}) AS run_count, ${lastRow("runs")} AS last_run,
         ${lastRow("events")} AS last_event
       FROM sessions`,
    )
    .all() as unknown as readonly CountedSession[]; // the selected columns
  const findRun = database.prepare("SELECT run_id, json FROM runs WHERE row_key = ?");
  const updateSession = database.prepare(
    `UPDATE sessions SET messages = ?, last_seq = ?, runs = ?, run_id = ?, created_at = ?, updated_at = ?
     WHERE key = ?`,
  );
  const lost: string[] = [];
  const incomplete = new Set<string>();
  for (const session of sessions) {
    const missingMessages = Math.max(session.last_message, session.messages) - session.message_count;
    const missingRuns = Math.max(session.last_run, session.runs) - session.run_count;
    if (missingMessages > 0) lost.push(`${missingMessages} messages of session ${session.id}`);
    if (missingRuns > 0) lost.push(`${missingRuns} runs of session ${session.id}`);
    if (missingMessages > 0 || missingRuns > 0) incomplete.add(session.id);
    const run = findRun.get(rowKey(session.key, session.last_run)) as RunRow | undefined; // the selected columns
    const isWritten = session.message_count + session.run_count > 0 || session.updated_at !== null;
    const fallbackTime = isWritten ? startTime(run) : null;
    updateSession.run(
      session.last_message,
      Math.max(session.last_seq, session.last_event),
      session.last_run,
      run?.run_id ?? null,
      isWritten ? (session.created_at ?? fallbackTime) : null,
      isWritten ? (session.updated_at ?? fallbackTime) : null,
      session.key,
    );
  }
  return { lost, incomplete };
}

interface CountedSession {
  readonly key: number;
  readonly id: string;
  readonly messages: number;
  readonly last_seq: number;
  readonly runs: number;
  readonly created_at: number | null;
  readonly updated_at: number | null;
  readonly message_count: number;
  readonly last_message: number;
  readonly run_count: number;
  readonly last_run: number;
  readonly last_event: number;
}

interface RunRow {
  readonly run_id: string;
  readonly json: string;
}

function startTime(run: RunRow | undefined): number {
  const startedAt: unknown = run === undefined ? undefined : JSON.parse(run.json).startedAt;
  return typeof startedAt === "number" ? startedAt : 0;
}

/** Adds up the costs. A higher balance stays: rows of costs may have been deleted. */
export function restoreBalances(database: SqliteDatabase): void {
  const balances = new Map<string, { readonly kind: string; readonly name: string; spent: number }>();
  const costs = database
    .prepare("SELECT session_id, at, cost_nano_usd FROM costs WHERE cost_nano_usd > 0 AND at BETWEEN 0 AND 8.64e15")
    .iterate() as Iterable<{ readonly session_id: string; readonly at: number; readonly cost_nano_usd: number }>;
  for (const { session_id, at, cost_nano_usd } of costs)
    for (const [kind, name] of Object.entries({ session: session_id, day: dayOf(at), month: monthOf(at) })) {
      const balance = balances.get(`${kind} ${name}`) ?? { kind, name, spent: 0 };
      balance.spent += cost_nano_usd;
      balances.set(`${kind} ${name}`, balance);
    }
  const insertBalance = database.prepare(
    `INSERT INTO balances (kind, name, spent) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET spent = max(spent, excluded.spent)`,
  );
  for (const { kind, name, spent } of balances.values())
    insertBalance.run(kind, name, Math.min(spent, Number.MAX_SAFE_INTEGER));
}

function restoreFactWords(database: SqliteDatabase): void {
  const insertWords = database.prepare("INSERT INTO fact_words (rowid, words) VALUES (?, ?)");
  const facts = database.prepare("SELECT n, json FROM facts").all() as {
    readonly n: number;
    readonly json: string;
  }[]; // the selected columns
  for (const { n, json } of facts) {
    const { text, tags } = JSON.parse(json) as { readonly text: string; readonly tags: readonly string[] }; // validated
    insertWords.run(n, wordsOf(`${text} ${tags.join(" ")}`).join(" "));
  }
}

/** No fence may be given out twice. */
function restoreFence(database: SqliteDatabase, savedFence: number): void {
  const row = database.prepare("SELECT coalesce(max(fence), 0) AS highest FROM sessions").get();
  const { highest } = row as { readonly highest: number }; // the selected column
  database.prepare("UPDATE fences SET last = ?").run(Math.max(highest, savedFence));
}
