/** A column's value. Text is read up to its first NUL: text that may hold one is written as JSON. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

/** A prepared statement. */
export interface SqliteStatement {
  run(...values: readonly SqliteValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  /** Returns the first row, undefined when there is none. */
  get(...values: readonly SqliteValue[]): unknown;
  all(...values: readonly SqliteValue[]): readonly unknown[];
  iterate(...values: readonly SqliteValue[]): Iterable<unknown>;
}

/** A connection to a SQLite database. Every method is synchronous. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  /**
   * Closes the connection. With `@photostructure/sqlite` the file stays open until its statements are garbage
   * collected, and the write-ahead log may remain: checkpoint it first.
   */
  close(): void;
}

/** How a database is opened. */
export interface OpenDatabaseOptions {
  /** The file must exist and is not written to. */
  readonly isReadOnly?: boolean;
  /** How long an operation waits for a lock; default: not at all. */
  readonly lockWaitMs?: number;
}

/** Earlier versions can lose a commit when two connections restart the write-ahead log. */
const OLDEST_SQLITE = "3.51.3";

/**
 * Opens a SQLite database with `node:sqlite` when its SQLite is new enough, else with `@photostructure/sqlite`.
 * By default an operation on a locked database throws at once.
 */
export async function openDatabase(path: string, options: OpenDatabaseOptions = {}): Promise<SqliteDatabase> {
  driver ??= loadDriver();
  const { DatabaseSync } = await driver;
  return new DatabaseSync(path, { readOnly: options.isReadOnly ?? false, timeout: options.lockWaitMs ?? 0 });
}

/** Returns SQLite's extended result code of an error, undefined for errors that are not from SQLite. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode;
  return "code" in error && error.code === "ERR_SQLITE_ERROR" ? codesOfMessages[error.message] : undefined;
}

/** `all` and `iterate` of `@photostructure/sqlite` throw errors without a code. */
const codesOfMessages: Readonly<Record<string, number>> = {
  "database is locked": 5,
  "attempt to write a readonly database": 8,
  "disk I/O error": 10,
  "database disk image is malformed": 11,
  "database or disk is full": 13,
  "unable to open database file": 14,
  "file is not a database": 26,
};

interface Driver {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: boolean; readonly timeout: number },
  ) => SqliteDatabase;
}

let driver: Promise<Driver> | undefined;

async function loadDriver(): Promise<Driver> {
  const builtIn = loadBuiltIn();
  if (builtIn !== undefined && isNewEnough(sqliteVersion(builtIn))) return builtIn;
  const installed: Driver = await import("@photostructure/sqlite");
  const version = sqliteVersion(installed);
  if (isNewEnough(version)) return installed;
  throw new Error(`Expected SQLite ${OLDEST_SQLITE} or newer, got ${version}: update Node or @photostructure/sqlite.`);
}

/** Loads `node:sqlite` without Node 22's warning on stderr that the module is experimental. */
function loadBuiltIn(): Driver | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule?.("node:sqlite") as Driver | undefined; // its documented type
  } finally {
    process.emitWarning = emitWarning;
  }
}

function sqliteVersion({ DatabaseSync }: Driver): string {
  const database = new DatabaseSync(":memory:", { readOnly: false, timeout: 0 });
  try {
    const row = database.prepare("SELECT sqlite_version() AS version").get();
    return (row as { readonly version: string }).version; // the query names its one column
  } finally {
    database.close();
  }
}

/** Whether a version such as `3.51.3` is safe to use. */
export function isNewEnough(version: string): boolean {
  return version.localeCompare(OLDEST_SQLITE, "en", { numeric: true }) >= 0;
}
