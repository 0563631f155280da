import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { openDatabase, type SqliteDatabase } from "@sheepdog/records";
import { createConnections } from "./connection.ts";
import { DamagedDatabaseError, DatabaseError, explain, primaryCode } from "./errors.ts";
import { type LockWait, retryWhileLocked } from "./lock-wait.ts";
import type { Sqlite } from "./open-sqlite.ts";
import { checkSchema } from "./schema.ts";

/** Opens a database for reading, also on a read-only or full disk. Neither the database nor its log is changed. */
export async function openReadOnly(options: LockWait): Promise<Sqlite> {
  const path = resolve(options.path);
  let database: SqliteDatabase | undefined;
  try {
    database = await connectReadOnly({ ...options, path });
    checkSchema(database, path);
    return { path, ...createConnections(database, { ...options, path, checkFile: () => {} }) };
  } catch (error) {
    database?.close();
    throw explain(error, path);
  }
}

/** Connects to a database of any schema. */
export async function connectReadOnly(options: LockWait): Promise<SqliteDatabase> {
  const { path } = options;
  const logBytes = checkFiles(path);
  return openShared(path, options).catch(async (error) => {
    if (!needsIndexFile(error)) throw error;
    return openAlone(path, logBytes > 0);
  });
}

/** Opens it beside other processes. SQLite creates the index of the log (`-shm`) where it is missing. */
async function openShared(path: string, options: LockWait): Promise<SqliteDatabase> {
  const database = await openDatabase(`${pathToFileURL(path).href}?mode=ro`, { isReadOnly: true });
  try {
    await retryWhileLocked(() => readOnce(database), options);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens it without locks and without an index file: no other process can be writing where these cannot be made. */
async function openAlone(path: string, hasLog: boolean): Promise<SqliteDatabase> {
  const withoutLocks = process.platform === "win32" ? "win32-none" : "unix-none";
  const mode = hasLog ? `mode=ro&vfs=${withoutLocks}` : "immutable=1"; // "immutable" makes SQLite ignore the log
  const database = await openDatabase(`${pathToFileURL(path).href}?${mode}`, { isReadOnly: true });
  try {
    if (hasLog) database.exec("PRAGMA locking_mode = EXCLUSIVE"); // keeps the index of the log in memory
    readOnce(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The first query takes the locks and reads the log. */
function readOnce(database: SqliteDatabase): void {
  database.prepare("SELECT count(*) FROM sqlite_schema").get();
}

/** SQLite's codes for files that it cannot create: read-only, input/output, full, cannot open. */
const cannotCreateCodes: readonly (number | undefined)[] = [8, 10, 13, 14];

function needsIndexFile(error: unknown): boolean {
  return cannotCreateCodes.includes(primaryCode(error));
}

/** Refuses what is no file, for which SQLite would wait, and an empty database. Returns the size of the log. */
function checkFiles(path: string): number {
  const [size = 0, logBytes = 0] = ["", "-wal", "-shm"].map((suffix) => {
    const stats = statSync(path + suffix, { throwIfNoEntry: false });
    if (stats?.isFile() === false) {
      const name = suffix === "" ? "it" : basename(path) + suffix;
      throw new DatabaseError(`The database ${path} cannot be used: ${name} is not a file.`, "SQLITE_CANTOPEN");
    }
    return stats?.size ?? 0;
  });
  if (size === 0) throw new DamagedDatabaseError(path, "the file is empty");
  return logBytes;
}
