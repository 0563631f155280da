/** What a column holds. A text is read up to its first NUL: text that may hold one is written as JSON. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

export interface SqliteStatement {
  run(...values: readonly SqliteValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  /** The first row, undefined where there is none: so also a way to run what gives no row, without an object made that says what has changed. */
  get(...values: readonly SqliteValue[]): unknown;
  all(...values: readonly SqliteValue[]): readonly unknown[];
  iterate(...values: readonly SqliteValue[]): Iterable<unknown>;
}

/** A connection to a SQLite database: what we use of it. Every call is made at once and blocks. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  /** With the package, the file stays open until its statements are collected as garbage: its log may stay behind, so empty it first. */
  close(): void;
}

export interface OpenDatabaseOptions {
  /** The file must exist and is not written to. */
  readonly isReadOnly?: boolean;
}

/** The oldest SQLite that is safe here: before it, two connections could lose what was committed when the write-ahead log was begun anew. */
const oldestSqlite = "3.51.3";

/**
 * Opens a SQLite database: with Node's own module where it is there and new enough, else with a package that does the same. It waits for no lock: a database
 * that is locked throws at once.
 */
export async function openDatabase(path: string, options: OpenDatabaseOptions = {}): Promise<SqliteDatabase> {
  driver ??= findDriver();
  const { DatabaseSync } = await driver;
  return new DatabaseSync(path, { readOnly: options.isReadOnly ?? false, timeout: 0 });
}

/** The result code of an error that came from SQLite, with its extension in the higher bytes; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode;
}

interface Driver {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: boolean; readonly timeout: number },
  ) => SqliteDatabase;
}

let driver: Promise<Driver> | undefined;

async function findDriver(): Promise<Driver> {
  const builtIn = loadBuiltIn();
  if (builtIn !== undefined && isNewEnough(versionOf(builtIn))) return builtIn;
  const installed: Driver = await import("@photostructure/sqlite");
  const version = versionOf(installed);
  if (!isNewEnough(version))
    throw new Error(`Expected SQLite ${oldestSqlite} or newer, got ${version}: update Node or @photostructure/sqlite.`);
  return installed;
}

/** Node 22 warns that its module is an experiment, on the standard error of whoever uses us; that one warning is left out. */
function loadBuiltIn(): Driver | undefined {
  const warn = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule?.("node:sqlite") as Driver | undefined; // its documented shape
  } finally {
    process.emitWarning = warn;
  }
}

function versionOf({ DatabaseSync }: Driver): string {
  const database = new DatabaseSync(":memory:", { readOnly: false, timeout: 0 });
  try {
    const statement = database.prepare("SELECT sqlite_version() AS version");
    kept.push(statement);
    const { version } = statement.get() as { readonly version: string }; // as asked for
    return version;
  } finally {
    database.close();
  }
}

/** One statement stays: V8 forgets the shape of a class that has no object left, and throws away the code that was compiled for it. */
const kept: SqliteStatement[] = [];

/** Whether a version such as `3.51.3` is the oldest one that is safe, or newer. */
export function isNewEnough(version: string): boolean {
  return version.localeCompare(oldestSqlite, "en", { numeric: true }) >= 0;
}
