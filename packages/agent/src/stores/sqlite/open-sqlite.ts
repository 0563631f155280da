import { randomUUID } from "node:crypto";
import { closeSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { openDatabase, type SqliteDatabase } from "@sheepdog/records";
import { type Connections, createConnections } from "./connection.ts";
import { createFileCheck, prepareDatabasePath } from "./database-path.ts";
import { DatabaseError, explain } from "./errors.ts";
import { linkExclusively } from "./exclusive-link.ts";
import { type LockWait, retryWhileLocked } from "./lock-wait.ts";
import { checkNothingRemains } from "./missing-database.ts";
import { checkSchema, createSchema } from "./schema.ts";

export interface SqliteOptions extends LockWait {
  /** Folder of the run logs. Where a missing database has logs, no empty one takes its place. */
  readonly logDir?: string | undefined;
}

/** An open database. */
export interface Sqlite extends Connections {
  readonly path: string;
  /** Called for each row that is left out, since another program wrote or edited it. Without it, a row is refused. */
  readonly onForeignRow?: () => void;
}

/**
 * Opens or creates a database that only its owner can read. It is not checked as a whole: SQLite reports damage when it
 * reads a damaged page.
 */
export async function openSqlite(options: SqliteOptions): Promise<Sqlite> {
  const path = resolve(options.path);
  const lockWait: LockWait = { path, lockWaitMs: options.lockWaitMs, onWait: options.onWait };
  let opened: SqliteDatabase | undefined;
  try {
    if (prepareDatabasePath(path) === "new") {
      checkNothingRemains(path, options.logDir);
      await createDatabase(path);
    }
    removeOldDrafts(path);
    const checkFile = createFileCheck(path);
    const database = await openDatabase(`${pathToFileURL(path).href}?mode=rw`); // never creates a file
    opened = database;
    await retryWhileLocked(() => configure(database, path), lockWait);
    await retryWhileLocked(() => checkSchema(database, path), lockWait);
    return { path, ...createConnections(database, { ...lockWait, checkFile }) };
  } catch (error) {
    opened?.close();
    throw explain(error, path);
  }
}

/** Creates the database under another name and links it to its path when it is complete. */
async function createDatabase(path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.new`;
  closeSync(openSync(draft, "wx", 0o600));
  try {
    const database = await openDatabase(draft);
    try {
      createSchema(database); // without a write-ahead log: everything is in the file
    } finally {
      database.close();
    }
    linkExclusively(draft, path);
  } catch (error) {
    const isCreatedByOther = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isCreatedByOther) throw error;
  } finally {
    for (const suffix of ["", "-journal"]) rmSync(draft + suffix, { force: true });
  }
}

const hourMs = 3_600_000;

/** Removes drafts of processes that ended while they created the database. */
function removeOldDrafts(path: string): void {
  const prefix = `${basename(path)}.`;
  const isDraft = (name: string) =>
    name.startsWith(prefix) && /^[0-9a-f-]{36}\.new(?:-journal)?$/.test(name.slice(prefix.length));
  for (const name of readdirSync(dirname(path)).filter(isDraft)) {
    const file = join(dirname(path), name);
    const { mtimeMs = Date.now() } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > hourMs) rmSync(file, { force: true });
  }
}

function configure(database: SqliteDatabase, path: string): void {
  database.exec("PRAGMA busy_timeout = 0");
  if (firstValue(database, "PRAGMA journal_mode = WAL") !== "wal")
    throw new DatabaseError(
      `The database ${path} cannot have a write-ahead log: is its folder on a network file system?`,
      "SQLITE_CANTOPEN",
    );
  database.exec("PRAGMA fullfsync = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
  database.exec("PRAGMA journal_size_limit = 16777216"); // shrinks a log that has grown beyond 16 MB
  database.exec("PRAGMA secure_delete = FAST"); // overwrites deleted text on pages that are written anyway
  setSynchronous(database, "NORMAL"); // light transactions need this level too
  setSynchronous(database, "FULL");
}

const synchronousLevels = { NORMAL: 1, FULL: 2 } as const;

function setSynchronous(database: SqliteDatabase, name: keyof typeof synchronousLevels): void {
  database.exec(`PRAGMA synchronous = ${name}`);
  const level = firstValue(database, "PRAGMA synchronous");
  if (level !== synchronousLevels[name])
    throw new Error(`Expected PRAGMA synchronous to be ${synchronousLevels[name]} (${name}), got ${level}.`);
}

function firstValue(database: SqliteDatabase, sql: string): unknown {
  return Object.values(database.prepare(sql).get() as Record<string, unknown>)[0]; // one row of one column
}
