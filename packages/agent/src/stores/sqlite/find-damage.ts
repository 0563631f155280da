import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase, type SqliteDatabase, sqliteCode } from "@sheepdog/records";
import { DatabaseError } from "./errors.ts";
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
    return await whenFree(() => (quickCheck ? (quickDamage(opened) ?? brokenText(opened)) : undefined) ?? missingRows(opened), options);
  } catch (error) {
    return damageOf(error);
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

/** The pages of all tables; of sessions, which are found by an index, also whether table and index say the same. */
function quickDamage(database: SqliteDatabase): string | undefined {
  for (const check of ["quick_check(1)", "integrity_check(sessions)"]) {
    const [finding] = Object.values(database.prepare(`PRAGMA ${check}`).get() as Record<string, unknown>); // one column
    if (finding !== "ok") return String(finding);
  }
  return undefined;
}

/** SQLite finds what is wrong with its pages, and not with what is written on them. It takes about 0.07 s for each 100 MB. */
function brokenText(database: SqliteDatabase): string | undefined {
  const broken = ["messages", "runs", "events", "checkpoints", "facts"].find((table) => {
    return database.prepare(`SELECT 1 FROM ${table} WHERE NOT json_valid(json) LIMIT 1`).get() !== undefined;
  });
  return broken === undefined ? undefined : `a row of ${broken} cannot be read`;
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

/** What SQLite says of a file that is no database, or a broken one. Anything else is told by the one who opens it to use it. */
function damageOf(error: unknown): string | undefined {
  if (error instanceof DatabaseError) throw error;
  const code = (sqliteCode(error) ?? 0) & 0xff;
  return (code === 11 || code === 26) && error instanceof Error ? error.message : undefined;
}
