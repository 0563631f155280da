import type { SqliteDatabase, SqliteValue } from "@sheepdog/records";
import { dayOf, monthOf } from "../utc.ts";
import { wordsOf } from "../words.ts";
import { placeOf } from "./place.ts";
import { type Reading, type Row, readableFromEnds, readableRows } from "./readable-rows.ts";

/** What was saved of a damaged database. */
export interface Salvaged {
  readonly sessions: number;
  readonly messages: number;
  readonly runs: number;
  readonly costs: number;
  readonly facts: number;
  /** Sentences about what was lost. */
  readonly lost: readonly string[];
  /** Sessions of which something is missing. */
  readonly incomplete: ReadonlySet<string>;
}

/** Copies every row that can be read from a damaged database into a new one, table by table, and what follows from them is worked out anew. */
export function salvage(from: SqliteDatabase, to: SqliteDatabase): Salvaged {
  const lost: string[] = [];
  const copy = (table: string, reading: Reading, isSound: (row: Row) => boolean) => copyTable(to, { table, reading, isSound, lost });
  to.exec("BEGIN IMMEDIATE");
  copy("sessions", readableRows(from, "sessions", "key"), (row) => isText(row["id"]) && row["id"] !== "" && isCounting(row["key"]));
  const messages = copy("messages", readableRows(from, "messages", "place"), (row) => isJson(row, (value) => typeof value["role"] === "string"));
  copy("events", readableRows(from, "events", "place"), (row) => isJson(row, Array.isArray));
  const runs = copy("runs", readableRows(from, "runs", "place"), (row) => isJson(row, (value) => value["runId"] === row["run_id"]));
  copy("checkpoints", readableRows(from, "checkpoints", "session"), (row) => isJson(row, (value) => typeof value["guardian"] === "object"));
  const costs = copy("costs", readableFromEnds(from, "costs", ["session_id", "id"]), isCost);
  copy("reservations", readableFromEnds(from, "reservations", ["session_id", "id"]), isCost);
  const facts = copy("facts", readableRows(from, "facts", "n"), (row) => isJson(row, (value) => isText(value["text"]) && Array.isArray(value["tags"])));
  adopt(to, lost);
  const incomplete = countSessions(to, lost);
  countBalances(to);
  countWords(to);
  setFence(from, to);
  to.exec("COMMIT");
  const sessions = count(to, "sessions WHERE updated_at IS NOT NULL");
  return { sessions, messages, runs, costs, facts, lost, incomplete };
}

/** How much of what matters can be read. */
export function countReadable(database: SqliteDatabase): number {
  let rows = 0;
  for (const [table, key] of [["sessions", "key"], ["messages", "place"], ["runs", "place"]] as const) // biome-ignore format: a table
    for (const _row of readableRows(database, table, key).rows) rows += 1;
  return rows;
}

interface Copying {
  readonly table: string;
  readonly reading: Reading;
  readonly isSound: (row: Row) => boolean;
  readonly lost: string[];
}

/** Copies the columns that both databases have; how many rows there are then. */
function copyTable(to: SqliteDatabase, { table, reading, isSound, lost }: Copying): number {
  const columns = (to.prepare("SELECT name FROM pragma_table_info(?)").all(table) as { readonly name: string }[]).map(({ name }) => name); // as asked for
  const insert = to.prepare(`INSERT OR IGNORE INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`);
  let bad = 0;
  for (const row of reading.rows) {
    const values = columns.map((column): SqliteValue => (table === "sessions" && column === "holder" ? null : (row[column] ?? null)));
    if (!isSound(row) || !attempt(() => insert.run(...values))) bad += 1;
  }
  if (bad > 0) lost.push(`${bad} rows of ${table}: what they hold is damaged`);
  if (reading.failures() > 0) lost.push(`rows of ${table}: some pages could not be read`);
  return count(to, table);
}

/** Gives rows whose session is lost a session again: under its name where that is told, else under a new one. */
function adopt(to: SqliteDatabase, lost: string[]): void {
  const places = placeOf(1, 0);
  const orphans = to
    .prepare(
      `SELECT DISTINCT key FROM (SELECT place / ${places} AS key FROM messages UNION SELECT place / ${places} FROM runs UNION SELECT place / ${places} FROM events)
       WHERE key NOT IN (SELECT key FROM sessions) ORDER BY key`,
    )
    .all() as { readonly key: number }[]; // as asked for
  const insert = to.prepare("INSERT OR IGNORE INTO sessions (key, id, fence, renewed_at) VALUES (?, ?, 0, 0)");
  for (const { key } of orphans) {
    const named = nameOf(to, key);
    if (named === undefined || Number(insert.run(key, named).changes) === 0) {
      insert.run(key, `recovered-${key}`);
      lost.push(`the name of a session: what is left of it is now called recovered-${key}`);
    }
  }
  to.exec("DELETE FROM checkpoints WHERE session NOT IN (SELECT key FROM sessions)");
}

/** The name of a session as its events or the costs of its runs tell it. */
function nameOf(to: SqliteDatabase, key: number): string | undefined {
  const range = [placeOf(key, 0), placeOf(key + 1, 0) - 1] as const;
  const events = to.prepare("SELECT json FROM events WHERE place BETWEEN ? AND ? LIMIT 1").get(...range) as { readonly json: string } | undefined; // as asked for
  const told: unknown = events === undefined ? undefined : JSON.parse(events.json)[0]?.sessionId;
  if (isText(told)) return told;
  const booked = to.prepare("SELECT session_id FROM costs WHERE run_id IN (SELECT run_id FROM runs WHERE place BETWEEN ? AND ?) LIMIT 1").get(...range);
  return (booked as { readonly session_id: string } | undefined)?.session_id; // as asked for
}

/** What a session's row says of its other rows, by those that are there. Says which sessions miss some. */
function countSessions(to: SqliteDatabase, lost: string[]): ReadonlySet<string> {
  const places = placeOf(1, 0);
  const within = (table: string) => `FROM ${table} WHERE place BETWEEN sessions.key * ${places} AND (sessions.key + 1) * ${places} - 1`;
  const found = to
    .prepare(
      `SELECT key, id, messages, last_seq, runs, created_at, updated_at,
         (SELECT count(*) ${within("messages")}) AS message_count, (SELECT max(place) ${within("messages")}) - key * ${places} AS last_message,
         (SELECT count(*) ${within("runs")}) AS run_count, (SELECT max(place) ${within("runs")}) - key * ${places} AS last_run,
         (SELECT max(place) ${within("events")}) - key * ${places} AS last_event
       FROM sessions`,
    )
    .all() as unknown as readonly Counted[]; // as asked for
  const update = to.prepare("UPDATE sessions SET messages = ?, last_seq = ?, runs = ?, run_id = ?, created_at = ?, updated_at = ? WHERE key = ?");
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
    const run = lastRun.get(placeOf(session.key, runs)) as { readonly run_id: string; readonly json: string } | undefined; // as asked for
    const startedAt: unknown = run === undefined ? undefined : JSON.parse(run.json).startedAt;
    const known = typeof startedAt === "number" ? startedAt : 0;
    const isWritten = session.message_count + session.run_count > 0 || session.updated_at !== null;
    const [created, updated] = isWritten ? [session.created_at ?? known, session.updated_at ?? known] : [null, null];
    update.run(messages, Math.max(session.last_seq, session.last_event ?? 0), runs, run?.run_id ?? null, created, updated, session.key);
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
  const balances = new Map<string, { readonly kind: string; readonly name: string; spent: number; reserved: number }>();
  for (const [table, column] of [["costs", "spent"], ["reservations", "reserved"]] as const) // biome-ignore format: a table
    for (const row of to.prepare(`SELECT session_id, at, cost_nano_usd FROM ${table} WHERE cost_nano_usd > 0`).iterate() as Iterable<Booked>)
      for (const [kind, name] of [
        ["session", row.session_id],
        ["day", dayOf(row.at)],
        ["month", monthOf(row.at)],
      ] as const) {
        // biome-ignore format: a table
        const key = `${kind} ${name}`;
        const balance = balances.get(key) ?? { kind, name, spent: 0, reserved: 0 };
        balance[column] += row.cost_nano_usd;
        balances.set(key, balance);
      }
  to.exec("DELETE FROM balances");
  const insert = to.prepare("INSERT INTO balances (kind, name, spent, reserved) VALUES (?, ?, ?, ?)");
  for (const { kind, name, spent, reserved } of balances.values()) insert.run(kind, name, spent, reserved);
}

interface Booked {
  readonly session_id: string;
  readonly at: number;
  readonly cost_nano_usd: number;
}

function countWords(to: SqliteDatabase): void {
  const insert = to.prepare("INSERT INTO fact_words (rowid, words) VALUES (?, ?)");
  for (const { n, json } of to.prepare("SELECT n, json FROM facts").all() as { readonly n: number; readonly json: string }[]) {
    const { text, tags } = JSON.parse(json) as { readonly text: string; readonly tags: readonly string[] }; // looked at when it was copied
    insert.run(n, wordsOf(`${text} ${tags.join(" ")}`).join(" "));
  }
}

/** No fence is given out twice. */
function setFence(from: SqliteDatabase, to: SqliteDatabase): void {
  const fences = [...readableRows(from, "fences", "rowid").rows].map(({ last }) => (isCounting(last) ? last : 0));
  const { most } = to.prepare("SELECT coalesce(max(fence), 0) AS most FROM sessions").get() as { readonly most: number }; // as asked for
  to.prepare("UPDATE fences SET last = ?").run(Math.max(most, ...fences));
}

function count(database: SqliteDatabase, from: string): number {
  return (database.prepare(`SELECT count(*) AS rows FROM ${from}`).get() as { readonly rows: number }).rows; // as asked for
}

function isCost(row: Row): boolean {
  const { at, cost_nano_usd: cost } = row;
  const isTime = typeof at === "number" && at >= 0 && at <= 8.64e15;
  const areCounts = ["input", "cache_read", "cache_write", "output"].every((name) => isCounting(row[name]));
  return [row["session_id"], row["id"], row["run_id"], row["model"]].every(isText) && isTime && areCounts && (cost === null || isCounting(cost));
}

function isJson(row: Row, isRight: (value: Readonly<Record<string, unknown>>) => boolean): boolean {
  try {
    const value: unknown = JSON.parse(String(row["json"]));
    return typeof value === "object" && value !== null && isRight(value as Readonly<Record<string, unknown>>); // every key can be asked for
  } catch {
    return false; // the text is damaged
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCounting(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Whether a row fits what the table allows. */
function attempt(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch {
    return false; // counted by the one who asked
  }
}
