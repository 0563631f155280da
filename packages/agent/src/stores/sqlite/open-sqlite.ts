import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { openDatabase, type SqliteDatabase } from "@sheepdog/records";
import { type Connections, createConnections, Health } from "./connection.ts";
import { prepareDatabasePath, presenceOf } from "./database-path.ts";
import { queryDatabase } from "./database-query.ts";
import { DamagedDatabaseError, DatabaseError, explain } from "./errors.ts";
import { linkExclusively } from "./exclusive-link.ts";
import { type LockWait, retryWhileLocked } from "./lock-wait.ts";
import { migrations as ours } from "./migrations.ts";
import { rebuildJournalPath } from "./rebuild-journal.ts";
import { createSchema, migrate, schemaVersion } from "./schema.ts";

export interface SqliteOptions extends LockWait {
  /** Look through the whole database for damage first (default). It takes about 0.15 s for each 100 MB that the system has in memory, and what reading it takes from a cold disk. */
  readonly quickCheck?: boolean | undefined;
  /** Those of another schema, for tests. */
  readonly migrations?: readonly string[] | undefined;
}

/** A database that is open. */
export interface Sqlite extends Pick<Connections, "safe" | "light"> {
  readonly path: string;
  close(): Promise<void>;
}

/** Opens a database at a path, or makes one. It is whole, of the newest version, and only its owner can read it. */
export async function openSqlite(options: SqliteOptions): Promise<Sqlite> {
  const path = resolve(options.path);
  const migrations = options.migrations ?? ours;
  const waiting: LockWait = { path, lockWaitMs: options.lockWaitMs, onWait: options.onWait };
  let database: SqliteDatabase | undefined;
  try {
    if (prepareDatabasePath(path) === "new") await create(path, migrations);
    sweep(path);
    const health = new Health(waiting, presenceOf(path));
    const opened = await openDatabase(`${pathToFileURL(path).href}?mode=rw`); // one that is gone by now is not made anew
    database = opened;
    await retryWhileLocked(() => setUp(opened, path), waiting);
    if (options.quickCheck ?? true) await retryWhileLocked(() => check(opened, path), waiting);
    const version = await retryWhileLocked(() => schemaVersion(opened, path, migrations.length), waiting);
    if (version < migrations.length) await update(opened, migrations, waiting);
    const connections = createConnections(opened, health);
    return { path, safe: connections.safe, light: connections.light, close: () => closeOnce(connections, health) };
  } catch (error) {
    database?.close();
    throw explain(error, path);
  }
}

async function update(database: SqliteDatabase, migrations: readonly string[], waiting: LockWait): Promise<void> {
  const { path } = waiting;
  const reader = await openDatabase(path);
  try {
    await retryWhileLocked(() => migrate(database, reader, { path, migrations }), waiting);
  } finally {
    reader.close();
  }
}

/** A new database appears at its path with all that belongs to it, so that an empty file there is always the remains of one. */
async function create(path: string, migrations: readonly string[]): Promise<void> {
  if (existsSync(rebuildJournalPath(path))) throw new DamagedDatabaseError(path, "it is being rebuilt");
  const unfinished = `${path}.${randomUUID()}.new`;
  closeSync(openSync(unfinished, "wx", 0o600));
  try {
    const database = await openDatabase(unfinished);
    try {
      createSchema(database, migrations); // without a log beside it: all of it is in the file
    } finally {
      database.close();
    }
    linkExclusively(unfinished, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error; // another process was faster, and its database is as good
  } finally {
    for (const end of ["", "-journal"]) rmSync(unfinished + end, { force: true });
  }
}

const hourMs = 3_600_000;

/** Takes away what processes left that ended while they made a database. */
function sweep(path: string): void {
  const begin = `${basename(path)}.`;
  const isLeft = (name: string) =>
    name.startsWith(begin) && /^[0-9a-f-]{36}\.new(?:-journal)?$/.test(name.slice(begin.length));
  for (const name of readdirSync(dirname(path)).filter(isLeft)) {
    const file = join(dirname(path), name);
    const { mtimeMs = Date.now() } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > hourMs) rmSync(file, { force: true });
  }
}

function setUp(database: SqliteDatabase, path: string): void {
  database.exec("PRAGMA busy_timeout = 0");
  if (ask(database, "PRAGMA journal_mode = WAL") !== "wal")
    throw new DatabaseError(
      `The database ${path} cannot have a write-ahead log: is its folder on a network file system?`,
      "SQLITE_CANTOPEN",
    );
  database.exec("PRAGMA fullfsync = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
  database.exec("PRAGMA journal_size_limit = 16777216"); // a log that was long once does not stay so; it is moved into the database at 8 MB
  database.exec("PRAGMA secure_delete = FAST"); // what is moved on a page, or from it, leaves nothing behind there
  setSynchronous(database, "NORMAL"); // as light transactions have it
  setSynchronous(database, "FULL");
}

const levels = { NORMAL: 1, FULL: 2 } as const;

function setSynchronous(database: SqliteDatabase, name: keyof typeof levels): void {
  database.exec(`PRAGMA synchronous = ${name}`);
  const level = ask(database, "PRAGMA synchronous");
  if (level !== levels[name])
    throw new Error(`Expected PRAGMA synchronous to be ${levels[name]} once it is set to ${name}, got ${level}.`);
}

async function check(database: SqliteDatabase, path: string): Promise<void> {
  const { rows, error } = await queryDatabase(path, [{ sql: "PRAGMA quick_check(1)" }], database);
  if (error !== undefined) throw error;
  const [finding] = Object.values(rows[0] as Record<string, unknown>); // one column
  if (finding !== "ok") throw new DamagedDatabaseError(path, String(finding));
}

function ask(database: SqliteDatabase, sql: string): unknown {
  return Object.values(database.prepare(sql).get() as Record<string, unknown>)[0]; // one row of one column
}

async function closeOnce(connections: Connections, health: Health): Promise<void> {
  if (health.isClosed) return;
  health.isClosed = true;
  await connections.close(emptyLog);
}

/** Moves what the log holds into the database, unless others use it. */
function emptyLog(database: SqliteDatabase): void {
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // No room for it now: everything is in the log, and the next process finds it there.
  }
}
