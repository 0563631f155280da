import { setImmediate as nextTurn } from "node:timers/promises";
import type { SqliteDatabase, SqliteStatement, SqliteValue } from "@sheepdog/records";
import { dayOf, monthOf } from "../utc.ts";
import { wordsOf } from "../words.ts";
import { checkpointOf } from "./checkpoint-parts.ts";
import { type Row, readRows, readRowsByTextKey, type TableReading } from "./damaged-table.ts";
import { rowKey, rowKeyRange } from "./row-key.ts";
import { cleanSessionRow, isValidRow, type SalvagedTable } from "./row-validation.ts";

/** How many rows are copied in one go: a few milliseconds' work. */
const rowsAtOnce = 500;

/** What could not be saved of a damaged database. */
export interface Salvaged {
  /** Sentences about what was lost. */
  readonly lost: readonly string[];
  /** Sessions of which something is missing. */
  readonly incomplete: ReadonlySet<string>;
}

/**
 * Copies every row that can be read from a damaged database into a new one, table by table, and what follows from them is worked out anew. Nobody else uses the
 * two; the others of the process have their turn meanwhile.
 */
export async function salvage(from: SqliteDatabase, to: SqliteDatabase): Promise<Salvaged> {
  const lost: string[] = [];
  to.exec("BEGIN IMMEDIATE");
  for (const [table, key] of [
    ["sessions", "key"],
    ["messages", "place"],
    ["events", "place"],
    ["runs", "place"],
    ["checkpoints", "session"],
    ["checkpoint_changes", "session"],
    ["facts", "n"],
    ["removals", "session"],
  ] as const)
    lost.push(...(await copyTable(to, table, readRows(from, table, key))));
  const firstKeys = knownNames(from, to);
  for (const table of ["costs", "reservations"] as const)
    lost.push(
      ...(await copyTable(to, table, readRowsByTextKey(from, table, { keys: ["session_id", "id"], firstKeys }))),
    );
  dropRemoved(to);
  adopt(to, lost);
  rename(to);
  dropTorn(to, lost);
  const incomplete = countSessions(to, lost);
  countBalances(to);
  countWords(to);
  setFence(from, to);
  to.exec("COMMIT");
  return { lost, incomplete };
}

/** How much of what matters can be read. */
export async function countReadable(database: SqliteDatabase): Promise<number> {
  let rows = 0;
  for (const [table, key] of [
    ["sessions", "key"],
    ["messages", "place"],
    ["runs", "place"],
  ] as const)
    for (const _row of readRows(database, table, key).rows) {
      rows += 1;
      if (rows % rowsAtOnce === 0) await nextTurn();
    }
  return rows;
}

/** Copies the columns that both databases have; says what was lost. */
async function copyTable(
  to: SqliteDatabase,
  table: SalvagedTable,
  { rows, failures }: TableReading,
): Promise<readonly string[]> {
  const columns = (to.prepare("SELECT name FROM pragma_table_info(?)").all(table) as { readonly name: string }[]).map(
    ({ name }) => name,
  ); // as asked for
  const inserts = new Map<string, SqliteStatement>();
  const insert = (row: Row) => {
    const shared = columns.filter((column) => row[column] !== undefined);
    const names = shared.join(", ");
    const statement =
      inserts.get(names) ??
      to.prepare(`INSERT INTO ${table} (${names}) VALUES (${shared.map(() => "?").join(", ")}) ON CONFLICT DO NOTHING`);
    inserts.set(names, statement);
    return Number(statement.run(...shared.map((column): SqliteValue => row[column] ?? null)).changes) === 1;
  };
  let [count, bad, repeated] = [0, 0, 0];
  for (const row of rows) {
    count += 1;
    if (count % rowsAtOnce === 0) await nextTurn();
    const added = isValidRow[table](row)
      ? attempt(() => insert(table === "sessions" ? cleanSessionRow(row) : row))
      : undefined;
    if (added === undefined) bad += 1;
    if (added === false) repeated += 1;
  }
  if (failures() === 0) bad += repeated; // else they may have come from both ends
  return [
    ...(bad > 0 ? [`${bad} ${bad === 1 ? "row" : "rows"} of ${table}: what they hold is damaged`] : []),
    ...(failures() > 0 ? [`rows of ${table}: some pages could not be read`] : []),
  ];
}

/** Names of sessions that may have rows in the books. */
function knownNames(from: SqliteDatabase, to: SqliteDatabase): readonly string[] {
  const sessions = to.prepare("SELECT id FROM sessions").all() as { readonly id: string }[]; // as asked for
  const balances = readRowsByTextKey(from, "balances", { keys: ["kind", "name"], firstKeys: ["session"] }).rows;
  const names = Array.from(balances, ({ kind, name }) =>
    kind === "session" && typeof name === "string" ? [name] : [],
  ).flat();
  return [...new Set([...sessions.map(({ id }) => id), ...names])];
}

/** What was being removed does not come back. */
function dropRemoved(to: SqliteDatabase): void {
  for (const { session } of to.prepare("SELECT session FROM removals").all() as { readonly session: number }[]) // as asked for
    for (const table of ["messages", "events", "runs"])
      to.prepare(`DELETE FROM ${table} WHERE place BETWEEN ? AND ?`).run(...rowKeyRange(session));
  to.exec("DELETE FROM removals");
}

/** Gives rows whose session is lost a session again: under its name where that is told, else under a new one. */
function adopt(to: SqliteDatabase, lost: string[]): void {
  const places = rowKey(1, 0);
  const keys = ["messages", "runs", "events"]
    .map((table) => `SELECT place / ${places} AS key FROM ${table}`)
    .join(" UNION ");
  const orphans = to
    .prepare(`SELECT key FROM (${keys}) WHERE key NOT IN (SELECT key FROM sessions) ORDER BY key`)
    .all() as { readonly key: number }[]; // as asked for
  const moveEmpty = to.prepare(`UPDATE sessions SET key = ? WHERE id = ? AND key NOT IN (${keys})`);
  const insert = to.prepare(
    "INSERT INTO sessions (key, id, fence, renewed_at) VALUES (?, ?, 0, 0) ON CONFLICT DO NOTHING",
  );
  for (const { key } of orphans) {
    const named = toldName(to, key) ?? bookedName(to, key);
    if (named !== undefined && [moveEmpty, insert].some((statement) => Number(statement.run(key, named).changes) > 0))
      continue;
    insert.run(key, `recovered-${key}`);
    lost.push(`the name of a session: what is left of it is now called recovered-${key}`);
  }
  for (const table of checkpointTables) to.exec(`DELETE FROM ${table} WHERE session NOT IN (SELECT key FROM sessions)`);
}

const checkpointTables = ["checkpoints", "checkpoint_changes"] as const;

/** A checkpoint of which a part is missing is none: the guardian begins anew. */
function dropTorn(to: SqliteDatabase, lost: string[]): void {
  const found = to
    .prepare(
      `SELECT key, id, whole.json AS whole, changes.json AS changes FROM sessions
       LEFT JOIN checkpoints AS whole ON whole.session = key LEFT JOIN checkpoint_changes AS changes ON changes.session = key AND changes.n = whole.n
       WHERE key IN (SELECT session FROM checkpoints UNION SELECT session FROM checkpoint_changes)`,
    )
    .iterate() as Iterable<{
    readonly key: number;
    readonly id: string;
    readonly whole: string | null;
    readonly changes: string | null;
  }>; // as asked for
  const torn: { readonly key: number; readonly id: string }[] = [];
  for (const { key, id, whole, changes } of found)
    if (whole === null || changes === null || attempt(() => checkpointOf(whole, changes)) === undefined)
      torn.push({ key, id });
  for (const { key, id } of torn) {
    for (const table of checkpointTables) to.prepare(`DELETE FROM ${table} WHERE session = ?`).run(key);
    lost.push(`what the guardian knew of session ${id}: a part of its checkpoint is missing`);
  }
}

/** A session whose name is damaged gets the one that its events tell. */
function rename(to: SqliteDatabase): void {
  const update = to.prepare("UPDATE OR IGNORE sessions SET id = ? WHERE key = ?");
  for (const { key, id } of to.prepare("SELECT key, id FROM sessions").all() as {
    readonly key: number;
    readonly id: string;
  }[]) {
    const told = toldName(to, key);
    if (told !== undefined && told !== id) update.run(told, key);
  }
}

function toldName(to: SqliteDatabase, key: number): string | undefined {
  const found = to.prepare("SELECT json FROM events WHERE place BETWEEN ? AND ? LIMIT 1").get(...rowKeyRange(key)) as
    | { readonly json: string }
    | undefined; // as asked for
  return found === undefined
    ? undefined
    : (JSON.parse(found.json) as readonly { readonly sessionId: string }[])[0]?.sessionId; // looked at when it was copied
}

function bookedName(to: SqliteDatabase, key: number): string | undefined {
  const runs = "SELECT run_id FROM runs WHERE place BETWEEN ? AND ?";
  const found = to.prepare(`SELECT session_id FROM costs WHERE run_id IN (${runs}) LIMIT 1`).get(...rowKeyRange(key));
  return (found as { readonly session_id: string } | undefined)?.session_id; // as asked for
}

/** What a session's row says of its other rows, by those that are there. Says which sessions miss some. */
function countSessions(to: SqliteDatabase, lost: string[]): ReadonlySet<string> {
  const places = rowKey(1, 0);
  const within = (table: string) =>
    `FROM ${table} WHERE place BETWEEN sessions.key * ${places} AND (sessions.key + 1) * ${places} - 1`;
  const found = to
    .prepare(
      `SELECT key, id, messages, last_seq, runs, created_at, updated_at,
         (SELECT count(*) ${within("messages")}) AS message_count, (SELECT max(place) ${within("messages")}) - key * ${places} AS last_message,
         (SELECT count(*) ${within("runs")}) AS run_count, (SELECT max(place) ${within("runs")}) - key * ${places} AS last_run,
         (SELECT max(place) ${within("events")}) - key * ${places} AS last_event
       FROM sessions`,
    )
    .all() as unknown as readonly Counted[]; // as asked for
  const update = to.prepare(
    "UPDATE sessions SET messages = ?, last_seq = ?, runs = ?, run_id = ?, created_at = ?, updated_at = ? WHERE key = ?",
  );
  const lastRun = to.prepare("SELECT run_id, json FROM runs WHERE place = ?");
  const incomplete = new Set<string>();
  for (const session of found) {
    const messages = Math.max(session.last_message ?? 0, 0);
    const runs = Math.max(session.last_run ?? 0, 0);
    const missing = Math.max(messages, session.messages) - session.message_count;
    if (missing > 0) lost.push(`${missing} messages of session ${session.id}`);
    const missingRuns = Math.max(runs, session.runs) - session.run_count;
    if (missingRuns > 0) lost.push(`${missingRuns} runs of session ${session.id}`);
    if (missing > 0 || missingRuns > 0) incomplete.add(session.id);
    const run = lastRun.get(rowKey(session.key, runs)) as
      | { readonly run_id: string; readonly json: string }
      | undefined; // as asked for
    const startedAt: unknown = run === undefined ? undefined : JSON.parse(run.json).startedAt;
    const known = typeof startedAt === "number" ? startedAt : 0;
    const isWritten = session.message_count + session.run_count > 0 || session.updated_at !== null;
    const [created, updated] = isWritten ? [session.created_at ?? known, session.updated_at ?? known] : [null, null];
    update.run(
      messages,
      Math.max(session.last_seq, session.last_event ?? 0),
      runs,
      run?.run_id ?? null,
      created,
      updated,
      session.key,
    );
  }
  return incomplete;
}

interface Counted {
  readonly key: number;
  readonly id: string;
  readonly messages: number;
  readonly last_seq: number;
  readonly runs: number;
  readonly created_at: number | null;
  readonly updated_at: number | null;
  readonly message_count: number;
  readonly last_message: number | null;
  readonly run_count: number;
  readonly last_run: number | null;
  readonly last_event: number | null;
}

function countBalances(to: SqliteDatabase): void {
  const balances = new Map<string, { readonly kind: string; readonly name: string; spent: number }>();
  for (const { session_id, at, cost_nano_usd } of to
    .prepare("SELECT session_id, at, cost_nano_usd FROM costs WHERE cost_nano_usd > 0")
    .iterate() as Iterable<Booked>)
    for (const [kind, name] of Object.entries({ session: session_id, day: dayOf(at), month: monthOf(at) })) {
      const balance = balances.get(`${kind} ${name}`) ?? { kind, name, spent: 0 };
      balance.spent += cost_nano_usd;
      balances.set(`${kind} ${name}`, balance);
    }
  to.exec("DELETE FROM balances");
  const insert = to.prepare("INSERT INTO balances (kind, name, spent) VALUES (?, ?, ?)");
  for (const { kind, name, spent } of balances.values()) insert.run(kind, name, spent);
}

interface Booked {
  readonly session_id: string;
  readonly at: number;
  readonly cost_nano_usd: number;
}

function countWords(to: SqliteDatabase): void {
  const insert = to.prepare("INSERT INTO fact_words (rowid, words) VALUES (?, ?)");
  for (const { n, json } of to.prepare("SELECT n, json FROM facts").all() as {
    readonly n: number;
    readonly json: string;
  }[]) {
    const { text, tags } = JSON.parse(json) as { readonly text: string; readonly tags: readonly string[] }; // looked at when it was copied
    insert.run(n, wordsOf(`${text} ${tags.join(" ")}`).join(" "));
  }
}

/** No fence is given out twice. */
function setFence(from: SqliteDatabase, to: SqliteDatabase): void {
  const fences = [...readRows(from, "fences", "rowid").rows].map(({ last }) =>
    typeof last === "number" && Number.isSafeInteger(last) ? last : 0,
  );
  const { most } = to.prepare("SELECT coalesce(max(fence), 0) AS most FROM sessions").get() as {
    readonly most: number;
  }; // as asked for
  to.prepare("UPDATE fences SET last = ?").run(Math.max(most, ...fences));
}

/** What came of it; undefined where the row does not fit what the table allows. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined; // counted by the one who asked
  }
}
