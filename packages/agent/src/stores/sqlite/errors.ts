import { sqliteCode } from "@sheepdog/records";

/** A database operation failed and changed nothing. */
export class DatabaseError extends Error {
  override readonly name: string = "DatabaseError";
  /** SQLite's name of the error, for example `SQLITE_FULL`. */
  readonly code: string;

  constructor(message: string, code: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What to type when the database cannot be used any more. */
export const rebuildHint = "To move it aside and rebuild it from the run logs: sheepdog doctor --rebuild";

/** The database is damaged. `finding` describes the first damage that was found. */
export class DamagedDatabaseError extends DatabaseError {
  override readonly name = "DamagedDatabaseError";
  readonly path: string;
  readonly finding: string;

  constructor(path: string, finding: string, options?: ErrorOptions) {
    super(`The database ${path} is damaged: ${finding}. ${rebuildHint}`, "SQLITE_CORRUPT", options);
    this.path = path;
    this.finding = finding;
  }
}

const genericError = 1;
const busy = 5;
const ioError = 10;
const corrupt = 11;
const protocol = 15;
const notADatabase = 26;

/** Whether another process holds the lock. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === busy || code === protocol;
}

/** Whether SQLite says that the file is damaged, or is not a database. */
function isDamage(error: unknown): boolean {
  const code = primaryCode(error);
  return code === corrupt || code === notADatabase;
}

/** Whether the connection cannot be trusted any more: a sync that failed once may later succeed with its data lost. */
export function isFatal(error: unknown): boolean {
  return primaryCode(error) === ioError || isDamage(error);
}

/** Turns an error of SQLite into a `DatabaseError` with the path. Returns other errors unchanged. */
export function explain(error: unknown, path: string): unknown {
  const code = primaryCode(error);
  if (code === undefined || !(error instanceof Error)) return error;
  if (isDamage(error)) return new DamagedDatabaseError(path, error.message, { cause: error });
  const [name, sentence] = meanings[code] ?? [`SQLITE_${sqliteCode(error)}`, "failed"];
  return new DatabaseError(`The database ${path} ${sentence} (${error.message}, ${sqliteCode(error)}).`, name, {
    cause: error,
  });
}

/** Explains why a statement cannot be prepared. All are valid for our schema: a generic error means a missing table. */
export function explainStatement(error: unknown, path: string): unknown {
  const isTableMissing = error instanceof Error && primaryCode(error) === genericError;
  return isTableMissing ? new DamagedDatabaseError(path, error.message, { cause: error }) : explain(error, path);
}

const meanings: Readonly<Record<number, readonly [name: string, sentence: string]>> = {
  5: ["SQLITE_BUSY", "is locked by another process"],
  8: ["SQLITE_READONLY", "cannot be written to"],
  10: ["SQLITE_IOERR", "could not be read or written: its disk failed or is full"],
  13: ["SQLITE_FULL", "could not be written to: its disk is full"],
  14: ["SQLITE_CANTOPEN", "cannot be opened"],
  15: ["SQLITE_PROTOCOL", "is locked by another process"],
  19: ["SQLITE_CONSTRAINT", "refused a change that violates a constraint"],
};

/** The low byte of SQLite's extended code. */
export function primaryCode(error: unknown): number | undefined {
  const code = sqliteCode(error);
  return code === undefined ? undefined : code & 0xff;
}
