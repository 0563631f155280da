import { sqliteCode } from "@sheepdog/records";

/** The database could not do what it was asked to; nothing of it was done. */
export class DatabaseError extends Error {
  override readonly name: string = "DatabaseError";
  /** SQLite's name for it, such as `SQLITE_FULL`. */
  readonly code: string;

  constructor(message: string, code: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The database is damaged; `finding` is the first thing that is wrong with it. */
export class DamagedDatabaseError extends DatabaseError {
  override readonly name = "DamagedDatabaseError";
  readonly path: string;
  readonly finding: string;

  constructor(path: string, finding: string, options?: ErrorOptions) {
    super(`The database ${path} is damaged: ${finding}.`, "SQLITE_CORRUPT", options);
    this.path = path;
    this.finding = finding;
  }
}

/** Whether somebody else has the lock. */
export function isBusy(error: unknown): boolean {
  const code = primary(error);
  return code === 5 || code === 15;
}

/** Whether what the connection holds can be trusted no longer: a sync that failed once may seem to succeed the next time, with the data lost. */
export function isFatal(error: unknown): boolean {
  const code = primary(error);
  return code === 10 || code === 11 || code === 26;
}

/** The error in words, with the path; as it is where it did not come from SQLite. */
export function explain(error: unknown, path: string): unknown {
  const code = primary(error);
  if (code === undefined || !(error instanceof Error)) return error;
  if (code === 11 || code === 26) return new DamagedDatabaseError(path, error.message, { cause: error });
  const [name, sentence] = meanings[code] ?? [`SQLITE_${sqliteCode(error)}`, "failed"];
  return new DatabaseError(`The database ${path} ${sentence} (${error.message}, ${sqliteCode(error)}).`, name, {
    cause: error,
  });
}

const meanings: Readonly<Record<number, readonly [name: string, sentence: string]>> = {
  5: ["SQLITE_BUSY", "is locked by another process"],
  8: ["SQLITE_READONLY", "cannot be written to"],
  10: ["SQLITE_IOERR", "could not be read or written: its disk failed or is full"],
  13: ["SQLITE_FULL", "could not be written to: its disk is full"],
  14: ["SQLITE_CANTOPEN", "cannot be opened"],
  15: ["SQLITE_PROTOCOL", "is locked by another process"],
  19: ["SQLITE_CONSTRAINT", "refused what contradicts what it holds"],
};

/** The low byte of SQLite's code. */
function primary(error: unknown): number | undefined {
  const code = sqliteCode(error);
  return code === undefined ? undefined : code & 0xff;
}
