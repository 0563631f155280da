import type { SqliteDatabase, SqliteStatement, SqliteValue } from "@sheepdog/records";
import { wordsOf } from "../words.ts";
import { raiseBalances } from "./balances.ts";
import { primaryCode } from "./errors.ts";
import { rowKeysPerSession } from "./row-key.ts";
import { type CheckedTable, isValidRow, type Row } from "./row-validation.ts";

/** What could be copied from a damaged database. */
export interface CopyReport {
  /** Sentences about what is lost. */
  readonly lost: readonly string[];
  /** Ids of sessions that miss messages or runs. */
  readonly incomplete: ReadonlySet<string>;
  /** Whether rows of the cost ledger are lost. */
  readonly areCostsLost: boolean;
  /** What the old database says was spent, by day and month; undefined if that cannot be read. */
  readonly balances?: ReadonlyMap<string, number> | undefined;
}

/**
 * Copies the tables that SQLite can read to their end into a new database, and derives all other data from them. Rows
 * that this program did not write are left out.
 */
export function copyTables(from: SqliteDatabase, to: SqliteDatabase): CopyReport {
  to.exec("BEGIN IMMEDIATE");
  const copy = (table: CheckedTable) => copyTable(from, to, table);
  const lostCosts = (["costs", "reservations"] as const).flatMap(copy);
  const lost = (["sessions", "messages", "events", "runs", "checkpoints", "removals"] as const).flatMap(copy);
  const otherLost = (["facts", "audit", "lessons"] as const).flatMap(copy);
  copy("event_batches"); // lost ones are derived again
  const orphans = deleteOrphans(to);
  const incomplete = restoreCounters(to);
  to.exec(missingBatches);
  raiseBalances(to);
  restoreFactWords(to);
  const fences = readAll(from, "SELECT last FROM fences")?.map(({ last }) => Number(last)) ?? [];
  const [highest] = to.prepare("SELECT max(fence) AS fence FROM sessions").all() as readonly { fence: number | null }[];
  to.prepare("UPDATE fences SET last = ?").run(Math.max(0, highest?.fence ?? 0, ...fences)); // none is given out twice
  to.exec("COMMIT");
  const balances = readAll(from, "SELECT kind, name, spent FROM balances");
  return {
    lost: [...lost, ...orphans, ...otherLost, ...lostCosts],
    incomplete,
    areCostsLost: lostCosts.length > 0,
    balances: balances && new Map(balances.map(({ kind, name, spent }) => [`${kind} ${name}`, Number(spent)])),
  };
}

/** Copies a whole table or nothing of it. Returns sentences about what is lost. */
function copyTable(from: SqliteDatabase, to: SqliteDatabase, table: CheckedTable): readonly string[] {
  const insert = createInsert(to, table);
  let isReadable = true;
  function* rows(): Generator<Row> {
    try {
      yield* from.prepare(`SELECT * FROM ${table}`).iterate() as Iterable<Row>;
    } catch {
      isReadable = false; // the caller reports it
    }
  }
  let refused = 0;
  to.exec("SAVEPOINT whole_table");
  for (const row of rows()) {
    const copied = table === "sessions" ? { ...row, holder: null, renewed_at: 0 } : row;
    if (!isValidRow[table](row) || !insert(copied)) refused += 1;
  }
  if (!isReadable) to.exec("ROLLBACK TO whole_table");
  to.exec("RELEASE whole_table");
  if (!isReadable) return [`the table ${table}: SQLite cannot read all of it`];
  return refused === 0 ? [] : [`${refused} ${refused === 1 ? "row" : "rows"} of ${table}: what they hold is damaged`];
}

/** Returns a function that inserts a row, or returns false if a constraint refuses it. */
function createInsert(to: SqliteDatabase, table: string): (row: Row) => boolean {
  const columns = to.prepare("SELECT name FROM pragma_table_info(?)").all(table) as { readonly name: string }[];
  let insert: SqliteStatement | undefined;
  return (row) => {
    const names = columns.map(({ name }) => name).filter((name) => row[name] !== undefined); // the same for all rows
    insert ??= to.prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`);
    try {
      insert.run(...names.map((name): SqliteValue => row[name] ?? null));
      return true;
    } catch (error) {
      if (primaryCode(error) !== constraint) throw error;
      return false;
    }
  };
}

const constraint = 19;

/** Removes rows of sessions that are being removed, and of sessions that are lost. */
function deleteOrphans(to: SqliteDatabase): readonly string[] {
  const lost: string[] = [];
  for (const table of ["messages", "events", "runs"]) {
    const deleteRows = `DELETE FROM ${table} WHERE row_key / ${rowKeysPerSession}`;
    to.exec(`${deleteRows} IN (SELECT session FROM removals)`);
    const { changes } = to.prepare(`${deleteRows} NOT IN (SELECT key FROM sessions)`).run();
    if (Number(changes) > 0) lost.push(`${changes} rows of ${table}: their session cannot be read`);
  }
  to.exec("DELETE FROM checkpoints WHERE session NOT IN (SELECT key FROM sessions); DELETE FROM removals");
  return lost;
}

/** Sets the counters of sessions by the rows that exist. Returns the ids of sessions that miss rows. */
function restoreCounters(to: SqliteDatabase): ReadonlySet<string> {
  const rowsOf = (table: string) =>
    `FROM ${table} WHERE row_key BETWEEN key * ${rowKeysPerSession} AND (key + 1) * ${rowKeysPerSession} - 1`;
  const last = (table: string) => `coalesce((SELECT max(row_key) ${rowsOf(table)}) - key * ${rowKeysPerSession}, 0)`;
  const missesRows = (table: string) => `max(${table}, ${last(table)}) > (SELECT count(*) ${rowsOf(table)})`;
  const incomplete = to
    .prepare(`SELECT id FROM sessions WHERE ${missesRows("messages")} OR ${missesRows("runs")}`)
    .all() as { readonly id: string }[]; // the selected column
  to.exec(
    `UPDATE sessions SET messages = ${last("messages")}, runs = ${last("runs")},
       last_seq = max(last_seq, ${last("events")}),
       run_id = (SELECT run_id ${rowsOf("runs")} ORDER BY row_key DESC LIMIT 1)`,
  );
  const forgetCalls = to.prepare("UPDATE sessions SET unanswered_calls = '[]' WHERE id = ?");
  for (const { id } of incomplete) forgetCalls.run(id);
  return new Set(incomplete.map(({ id }) => id));
}

/**
 * Events whose position is lost get a new one above all others, in order of time; the rows of a session keep their
 * order. A reader may get them twice, but it misses none.
 */
const missingBatches = `
DELETE FROM event_batches WHERE row_key NOT IN (SELECT row_key FROM events);
INSERT INTO event_batches (row_key)
  SELECT row_key FROM (
    SELECT row_key, json_extract(json, '$[0].at') AS at FROM events
    WHERE row_key NOT IN (SELECT row_key FROM event_batches)
  ) ORDER BY max(at) OVER (PARTITION BY row_key / ${rowKeysPerSession} ORDER BY row_key), row_key;
`;

function restoreFactWords(to: SqliteDatabase): void {
  const insertWords = to.prepare("INSERT INTO fact_words (rowid, words) VALUES (?, ?)");
  const facts = to.prepare("SELECT n, json FROM facts").all() as { readonly n: number; readonly json: string }[];
  for (const { n, json } of facts) {
    const { text, tags } = JSON.parse(json) as { readonly text: string; readonly tags: readonly string[] }; // validated
    insertWords.run(n, wordsOf(`${text} ${tags.join(" ")}`).join(" "));
  }
}

/** All rows of a query; undefined if SQLite cannot read them. */
function readAll(from: SqliteDatabase, sql: string): readonly Row[] | undefined {
  try {
    return from.prepare(sql).all() as readonly Row[]; // the selected columns
  } catch {
    return undefined;
  }
}
