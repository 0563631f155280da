import { constants, type Stats } from "node:fs";
import { copyFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { namesSuperJournal } from "./hot-journal.ts";
import { createPrivateFolder } from "./private-folder.ts";
import { openDatabase, type SqliteDatabase, sqliteCode } from "./sqlite.ts";
import { readSqliteHeader } from "./sqlite-header.ts";

/** A database of another program, opened for reading. */
export interface SharedDatabase {
  readonly database: SqliteDatabase;
  /** Whether another program wrote to the file while it was read without locks, so that what was read may be wrong. */
  wasChanged(): Promise<boolean>;
  close(): Promise<void>;
}

/** How long an operation waits for another program's lock. */
const LOCK_WAIT_MS = 1_000;
/** How often a copy is repeated when the files change meanwhile. */
const MAX_COPIES = 3;
/** SQLite's codes for files that cannot be opened without changing them: read-only, input/output, cannot open. */
const NEEDS_COPY_CODES = [8, 10, 14];

/** A database that takes longer to copy is read in place. */
const MAX_COPIED_BYTES = 256 * 1024 * 1024;
/** A database that must be copied and is larger than this is refused. */
const MAX_BYTES = 16 * 1024 * 1024 * 1024;

/**
 * Opens a database that another program may be writing to. Neither the database nor the files beside it are changed: a
 * connection to a database with a write-ahead log creates the files `-wal` and `-shm` where they are missing and writes
 * to `-shm`. So a database with a log is read from a private copy of both, and one whose log is empty as it is, without
 * locks. Only a large one that another program has open is read in place, where `-shm` is shared with that program.
 */
export async function openSharedDatabase(path: string): Promise<SharedDatabase> {
  const file = await realpath(path); // the log lies beside the file, not beside a link to it
  await refuseOtherFiles(file);
  const header = await readSqliteHeader(file);
  if (!header?.usesWriteAheadLog) return await openInPlace(file);
  const [size = 0, logSize = 0, hasIndex] = [
    await fileSize(file),
    await fileSize(`${file}-wal`),
    await exists(`${file}-shm`),
  ];
  if (logSize === 0) return await openUnlocked(file);
  if (!hasIndex) return await openCopy(file);
  if (size + logSize > MAX_COPIED_BYTES) return await openInPlace(file);
  return await openCopy(file).catch((error) => {
    if (error instanceof KeepsChanging) return openInPlace(file);
    throw error;
  });
}

/** The tables of a database, read without locks and without its log; undefined when they cannot be read so. */
export async function peekTables(path: string): Promise<ReadonlySet<string> | undefined> {
  let database: SqliteDatabase | undefined;
  try {
    database = await openDatabase(unlockedUrl(await realpath(path)), { isReadOnly: true });
    return tableNames(database);
  } catch {
    return undefined; // reading it properly says why
  } finally {
    database?.close();
  }
}

/**
 * The names of the tables that only hold what was written into them. A view, a virtual table and a computed column can
 * run for ever: what a query on them costs does not depend on the size of the file.
 */
export function tableNames(database: SqliteDatabase): ReadonlySet<string> {
  const sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND sql LIKE 'CREATE TABLE %'";
  const rows = database.prepare(sql).all();
  const names = rows.map((row) => (row as { readonly name: string }).name); // the query names its column
  return new Set(names.filter((name) => !hasComputedColumns(database, name)));
}

function hasComputedColumns(database: SqliteDatabase, table: string): boolean {
  const columns = database.prepare(`PRAGMA main.table_xinfo("${table.replaceAll('"', '""')}")`).all();
  return columns.some((column) => (column as { readonly hidden: number }).hidden > 1); // the pragma names its columns
}

async function openInPlace(file: string): Promise<SharedDatabase> {
  let database: SqliteDatabase | undefined;
  try {
    database = await openDatabase(file, { isReadOnly: true, lockWaitMs: LOCK_WAIT_MS });
    tableNames(database); // the first query takes the locks
    return shared(database);
  } catch (error) {
    database?.close();
    if (NEEDS_COPY_CODES.includes((sqliteCode(error) ?? 0) & 0xff)) return await openCopy(file);
    throw error;
  }
}

async function openUnlocked(file: string): Promise<SharedDatabase> {
  const version = await fileVersion(file);
  const database = await openDatabase(unlockedUrl(file), { isReadOnly: true });
  return { ...shared(database), wasChanged: async () => (await fileVersion(file)) !== version };
}

function unlockedUrl(file: string): string {
  return `${pathToFileURL(file).href}?immutable=1`;
}

function shared(database: SqliteDatabase): SharedDatabase {
  return {
    database,
    wasChanged: async () => false,
    close: async () => database.close(),
  };
}

/**
 * Opens a private copy of the database with its log. The copy is deleted as soon as it is open, where the system allows
 * it: a long query cannot be interrupted by a signal whose listener deletes the copy.
 */
async function openCopy(file: string): Promise<SharedDatabase> {
  const folder = await createPrivateFolder();
  let database: SqliteDatabase | undefined;
  try {
    const copy = join(folder.path, "copy.db");
    await copyTogether(file, copy);
    if ((await exists(`${copy}-journal`)) && (await namesSuperJournal(`${copy}-journal`)))
      throw new Error("a change of several databases was not finished; open it once with the program that wrote it");
    database = await openDatabase(copy, { lockWaitMs: LOCK_WAIT_MS }); // writable: SQLite may replay the log
    tableNames(database); // the first query opens all files
    if (process.platform !== "win32") await folder.remove();
    const opened = database;
    const close = async () => {
      opened.close();
      await folder.remove();
    };
    return { ...shared(opened), close };
  } catch (error) {
    database?.close();
    await folder.remove();
    throw error;
  }
}

/** Thrown when no copy can be made between two changes. */
class KeepsChanging extends Error {}

const companions = ["", "-wal", "-journal"];

async function copyTogether(file: string, copy: string): Promise<void> {
  const sizes = await Promise.all(companions.map((suffix) => fileSize(file + suffix)));
  if (sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) > MAX_BYTES)
    throw new Error("this database is too large for a copy of it; close the program that writes to it");
  for (let attempt = 1; ; attempt++) {
    const version = await fileVersion(file);
    for (const suffix of companions)
      if (await exists(file + suffix)) await copyFile(file + suffix, copy + suffix, constants.COPYFILE_FICLONE);
    if ((await fileVersion(file)) === version) return;
    if (attempt === MAX_COPIES) throw new KeepsChanging("another program keeps writing to it; try again later");
  }
}

/** Refuses pipes and devices beside a database: SQLite would wait for them. */
async function refuseOtherFiles(file: string): Promise<void> {
  const infos = await Promise.all([...companions, "-shm"].map((suffix) => infoOf(file + suffix)));
  if (infos.some((info) => info !== undefined && !info.isFile()))
    throw new Error("a file beside it (-journal, -wal or -shm) is no ordinary file; remove that file");
}

/** Sizes and times of the last change of the database and of the files beside it. */
async function fileVersion(file: string): Promise<string> {
  const infos = await Promise.all(companions.map((suffix) => infoOf(file + suffix)));
  return infos.map((info) => (info === undefined ? "-" : `${info.size}/${info.mtimeMs}`)).join(" ");
}

async function fileSize(file: string): Promise<number | undefined> {
  return (await infoOf(file))?.size;
}

async function infoOf(file: string): Promise<Stats | undefined> {
  return await stat(file).catch(() => undefined);
}

async function exists(file: string): Promise<boolean> {
  return (await fileSize(file)) !== undefined;
}
