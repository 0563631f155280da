import { chmodSync, closeSync, lstatSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder, openDatabase, type SqliteDatabase, sqliteCode } from "@sheepdog/records";

const SCHEMA = 3;
/** How long another process may hold the file while this one waits. */
const WAIT_MS = 2_000;
const schema = `
  BEGIN IMMEDIATE;
  DROP TABLE IF EXISTS files;
  DROP TABLE IF EXISTS analyses;
  CREATE TABLE analyses (key TEXT PRIMARY KEY, used_at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE files (
    key TEXT NOT NULL, path TEXT NOT NULL, version TEXT NOT NULL, requests BLOB NOT NULL,
    excerpt_requests BLOB NOT NULL, copies BLOB NOT NULL, facts TEXT NOT NULL, digest TEXT NOT NULL,
    PRIMARY KEY (key, path)
  );
  PRAGMA user_version = ${SCHEMA};
  COMMIT;`;

/** Opens the database of the cache, and creates it if it is missing. Only its owner can read it. */
export async function openCacheFile(path: string): Promise<SqliteDatabase> {
  if (!isFileOrMissing(path)) throw new Error(`Expected ${path} to be a file.`);
  makeFolder(dirname(path));
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600); // SQLite gives its other files the same permissions
  const database = await openDatabase(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${WAIT_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;`);
    const row = database.prepare("PRAGMA user_version").get();
    const { user_version: version } = row as { readonly user_version: number }; // the pragma names its column
    if (version !== SCHEMA) database.exec(schema);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite's codes for a file that has lost its tables, is damaged, or is no database. */
const damageCodes: readonly number[] = [1, 11, 26];

/** Whether an error says that the content of the file is damaged; not that the file is busy, or the disk full. */
export function isDamage(error: unknown): boolean {
  return damageCodes.includes((sqliteCode(error) ?? 0) & 0xff); // the lower byte is the primary code
}

/** Whether the database can be read. */
export function isIntact(database: SqliteDatabase): boolean {
  try {
    const row = database.prepare("PRAGMA quick_check(1)").get();
    return (row as { readonly quick_check: string }).quick_check === "ok"; // the pragma names its column
  } catch {
    return false;
  }
}

/** Removes the database and returns whether it did. Anything that is no file is somebody else's. */
export function removeCacheFile(path: string): boolean {
  try {
    if (!lstatSync(path).isFile()) return false;
    for (const suffix of ["-wal", "-shm", ""]) rmSync(path + suffix, { force: true });
    return true;
  } catch {
    return false;
  }
}

function isFileOrMissing(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
}
