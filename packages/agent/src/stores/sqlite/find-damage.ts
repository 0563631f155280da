import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase, type SqliteDatabase, sqliteCode } from "@sheepdog/records";
import { DatabaseError } from "./errors.ts";
import { applicationId } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { placeOf } from "./place.ts";
import { isOfAnother } from "./session-ids.ts";
import { readWal } from "./wal.ts";
import { type Waiting, whenFree } from "./when-free.ts";

/**
 * Looks for damage in a database that this process does not have open, and changes nothing: not even in what a connection does when it closes, which is to move
 * the log into the database. What SQLite would not notice is looked at first, since it takes a log that is damaged, or another's, for its own.
 */
export async function findDamage(options: Waiting & { readonly quickCheck?: boolean | undefined }): Promise<string | undefined> {
  const { path, quickCheck = true } = options;
  if (!existsSync(path)) return undefined;
  const damage = await walDamage(path);
  if (damage !== undefined) return damage;
  let database: SqliteDatabase | undefined;
  try {
    const opened = await openDatabase(path, { isReadOnly: true });
    database = opened;
    return await whenFree(
      () => (quickCheck ? (brokenPages(opened) ?? brokenText(opened) ?? wrongBalances(opened)) : undefined) ?? missingRows(opened) ?? lostWords(opened),
      options,
    );
  } catch (error) {
    return damageOf(error, database);
  } finally {
    database?.close();
  }
}

/** A process may be writing to the log just now: only damage that stays is damage. */
async function walDamage(path: string): Promise<string | undefined> {
  for (let look = 1; ; look += 1) {
    const wal = readWal(`${path}-wal`);
    if (wal === undefined) return undefined;
    if (wal.damage === undefined) return (await isOfAnother(path, wal)) ? "its write-ahead log is that of another database" : undefined;
    if (look === 4) return wal.damage;
    await pause(50);
  }
}

/** All tables with their keys. It takes as long as a quick check, which does not look at the order of keys: the large tables have no other index. */
function brokenPages(database: SqliteDatabase): string | undefined {
  const [finding] = Object.values(database.prepare("PRAGMA integrity_check(1)").get() as Record<string, unknown>); // one column
  return finding === "ok" ? undefined : String(finding);
}

/** SQLite finds what is wrong with its pages, and not with what is written on them. It takes about 0.07 s for each 100 MB. */
function brokenText(database: SqliteDatabase): string | undefined {
  const broken = ["messages", "runs", "events", "checkpoints", "facts"].find((table) => {
    return database.prepare(`SELECT 1 FROM ${table} WHERE NOT json_valid(json) LIMIT 1`).get() !== undefined;
  });
  return broken === undefined ? undefined : `a row of ${broken} cannot be read`;
}

/** Whether the balances of sessions, of days and of months are each what all rows of the books add up to. */
function wrongBalances(database: SqliteDatabase): string | undefined {
  const sum = (table: string) => `(SELECT coalesce(sum(cost_nano_usd), 0) FROM ${table})`;
  const kinds = "(SELECT 'session' AS kind UNION SELECT 'day' UNION SELECT 'month')";
  const sql = `SELECT kind FROM ${kinds} LEFT JOIN balances USING (kind) GROUP BY kind
    HAVING coalesce(sum(spent), 0) <> ${sum("costs")} OR coalesce(sum(reserved), 0) <> ${sum("reservations")} LIMIT 1`;
  const wrong = database.prepare(sql).get() as { readonly kind: string } | undefined; // the column asked for
  return wrong === undefined ? undefined : `the books do not add up by ${wrong.kind}`;
}

/** Whether the sessions have the rows they say they have: one look into each table for each session. */
function missingRows(database: SqliteDatabase): string | undefined {
  const places = placeOf(1, 0);
  const last = (table: string) =>
    `coalesce((SELECT max(place) - key * ${places} FROM ${table} WHERE place BETWEEN key * ${places} AND (key + 1) * ${places} - 1), 0)`;
  const sql = `SELECT id FROM sessions WHERE messages <> ${last("messages")} OR runs <> ${last("runs")} OR last_seq < ${last("events")} LIMIT 1`;
  const wrong = database.prepare(sql).get() as { readonly id: string } | undefined; // the column asked for
  return wrong === undefined ? undefined : `session ${wrong.id} does not have the rows it should have`;
}

/** Whether facts can be searched for. */
function lostWords(database: SqliteDatabase): undefined {
  database.prepare("SELECT 1 FROM fact_words WHERE fact_words MATCH ? LIMIT 1").get("a");
}

/** What SQLite says of a broken database. Anything else is told by the one who opens it to use it. */
function damageOf(error: unknown, database: SqliteDatabase | undefined): string | undefined {
  if (error instanceof DatabaseError || !(error instanceof Error)) throw error;
  const code = (sqliteCode(error) ?? 0) & 0xff;
  const isDamage = code === 11 || code === 26 || (code === 1 && database !== undefined && isOurs(database)); // in a database of ours, every question can be asked
  return isDamage ? error.message : undefined;
}

function isOurs(database: SqliteDatabase): boolean {
  const { id, version } = database.prepare("SELECT application_id AS id, user_version AS version FROM pragma_application_id, pragma_user_version").get() as {
    readonly id: number;
    readonly version: number;
  }; // as asked for
  return id === applicationId && version === migrations.length;
}
