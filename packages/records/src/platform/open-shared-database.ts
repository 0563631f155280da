import { constants } from "node:fs";
import { copyFile, mkdtemp, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
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

/**
 * Opens a database that another program may be writing to. Neither the database nor the files beside it are changed: a
 * connection to a database with a write-ahead log creates the files `-wal` and `-shm` where they are missing and writes
 * to `-shm`. So a database with a log is read from a private copy of both, and one whose log is empty as it is, without
 * locks. Only a large one that another program has open is read in place, where `-shm` is shared with that program.
 */
export async function openSharedDatabase(path: string): Promise<SharedDatabase> {
  const file = await realpath(path); // the log lies beside the file, not beside a link to it
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

/** The names of all tables. */
export function tableNames(database: SqliteDatabase): ReadonlySet<string> {
  const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  return new Set(rows.map((row) => (row as { readonly name: string }).name)); // the query names its column
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

/** Opens a private copy of the database with its log, which is deleted at the end. */
async function openCopy(file: string): Promise<SharedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "sheepdog-read-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "copy.db");
    await copyTogether(file, copy);
    const database = await openDatabase(copy, { lockWaitMs: LOCK_WAIT_MS }); // writable: SQLite may replay the log
    const close = async () => {
      database.close();
      await remove();
    };
    return { ...shared(database), close };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Thrown when no copy can be made between two changes. */
class KeepsChanging extends Error {}

const companions = ["", "-wal", "-journal"];

async function copyTogether(file: string, copy: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const version = await fileVersion(file);
    for (const suffix of companions)
      if (await exists(file + suffix)) await copyFile(file + suffix, copy + suffix, constants.COPYFILE_FICLONE);
    if ((await fileVersion(file)) === version) return;
    if (attempt === MAX_COPIES) throw new KeepsChanging("another program keeps writing to it; try again later");
  }
}

/** Sizes and times of the last change of the database and of the files beside it. */
async function fileVersion(file: string): Promise<string> {
  const infos = await Promise.all(companions.map((suffix) => stat(file + suffix).catch(() => undefined)));
  return infos.map((info) => (info === undefined ? "-" : `${info.size}/${info.mtimeMs}`)).join(" ");
}

async function fileSize(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.size;
}

async function exists(file: string): Promise<boolean> {
  return (await fileSize(file)) !== undefined;
}
