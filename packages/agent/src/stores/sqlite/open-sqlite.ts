import { randomUUID } from "node:crypto";
import { closeSync, linkSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { openDatabase, type SqliteDatabase } from "@sheepdog/records";
import { type Connection, createConnection, type Health } from "./connection.ts";
import { DamagedDatabaseError, DatabaseError, explain } from "./errors.ts";
import { createSchema, migrate, schemaVersion } from "./migrate.ts";
import { migrations as ours } from "./migrations/index.ts";
import { preparePath, presenceCheck } from "./prepare-path.ts";
import { type Waiting, whenFree } from "./when-free.ts";

export interface SqliteOptions extends Waiting {
  /** Look through the whole database for damage first (default). It takes about 0.15 s for each 100 MB that the system has in memory, and what reading it takes from a cold disk. */
  readonly quickCheck?: boolean | undefined;
  /** Those of another schema, for tests. */
  readonly migrations?: readonly string[] | undefined;
}

/** A database with two connections to it. */
export interface Sqlite {
  readonly path: string;
  /** What was committed here is on the disk. */
  readonly safe: Connection;
  /**
   * What was committed here is seen by every process at once, and reaches the disk with the next safe commit: good for what only living processes need. A power
   * loss takes leases and reservations, together with all the processes that hold them and the requests that were not answered yet.
   */
  readonly light: Connection;
  close(): Promise<void>;
}

/** Opens a database at a path, or makes one. It is whole, of the newest version, and only its owner can read it. */
export async function openSqlite(options: SqliteOptions): Promise<Sqlite> {
  const path = resolve(options.path);
  const migrations = options.migrations ?? ours;
  const waiting: Waiting = { path, lockWaitMs: options.lockWaitMs, onWait: options.onWait };
  const opened: SqliteDatabase[] = [];
  try {
    if (preparePath(path) === "new") await create(path, migrations);
    const health: Health = { ...waiting, isClosed: false, checkPresence: presenceCheck(path) };
    for (const synchronous of ["FULL", "NORMAL"] as const) {
      const database = await openDatabase(path);
      opened.push(database);
      await whenFree(() => setUp(database, path, synchronous), waiting);
    }
    const [full, normal] = opened as [SqliteDatabase, SqliteDatabase]; // the loop made two
    if (options.quickCheck ?? true) await whenFree(() => check(full, path), waiting);
    const version = await whenFree(() => schemaVersion(full, path, migrations.length), waiting);
    if (version < migrations.length) await whenFree(() => migrate(full, normal, { path, migrations }), waiting);
    const [safe, light] = [createConnection(full, health), createConnection(normal, health)];
    return { path, safe, light, close: () => closeBoth(safe, light, health) };
  } catch (error) {
    for (const database of opened) database.close();
    throw explain(error, path);
  }
}

/** A new database appears at its path with all that belongs to it, so that an empty file there is always the remains of one. */
async function create(path: string, migrations: readonly string[]): Promise<void> {
  sweep(path);
  const unfinished = `${path}.${randomUUID()}.new`;
  closeSync(openSync(unfinished, "wx", 0o600));
  try {
    const database = await openDatabase(unfinished);
    try {
      createSchema(database, migrations); // without a log beside it: all of it is in the file
    } finally {
      database.close();
    }
    linkSync(unfinished, path);
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
  const isLeft = (name: string) => name.startsWith(begin) && /^[0-9a-f-]{36}\.new(?:-journal)?$/.test(name.slice(begin.length));
  for (const name of readdirSync(dirname(path)).filter(isLeft)) {
    const file = join(dirname(path), name);
    const { mtimeMs = Date.now() } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > hourMs) rmSync(file, { force: true });
  }
}

function setUp(database: SqliteDatabase, path: string, synchronous: "FULL" | "NORMAL"): void {
  database.exec("PRAGMA busy_timeout = 0");
  if (ask(database, "PRAGMA journal_mode = WAL") !== "wal")
    throw new DatabaseError(`The database ${path} cannot have a write-ahead log: is its folder on a network file system?`, "SQLITE_CANTOPEN");
  database.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA fullfsync = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON`);
  const wanted = { FULL: 2, NORMAL: 1 }[synchronous];
  if (ask(database, "PRAGMA synchronous") !== wanted) throw new Error(`Expected PRAGMA synchronous to be ${wanted} for ${path}.`);
  database.exec("PRAGMA journal_size_limit = 8388608"); // a log that was long once does not stay so
  if (synchronous === "NORMAL") database.exec("PRAGMA wal_autocheckpoint = 0"); // moving the log into the database syncs: the other connection does it
}

function check(database: SqliteDatabase, path: string): void {
  const finding = ask(database, "PRAGMA quick_check(1)");
  if (finding !== "ok") throw new DamagedDatabaseError(path, String(finding));
}

function ask(database: SqliteDatabase, sql: string): unknown {
  return Object.values(database.prepare(sql).get() as Record<string, unknown>)[0]; // one row of one column
}

async function closeBoth(safe: Connection, light: Connection, health: Health): Promise<void> {
  if (health.isClosed) return;
  health.isClosed = true;
  await light.close();
  await safe.close(emptyLog);
}

/** Moves what the log holds into the database, unless others use it. */
function emptyLog(database: SqliteDatabase): void {
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // No room for it now: everything is in the log, and the next process finds it there.
  }
}
