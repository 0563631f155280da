import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import type { SqliteDatabase, SqliteStatement } from "@sheepdog/records";
import { DatabaseError, explain, isFatal } from "./errors.ts";
import { type LockWait, retryWhileLocked } from "./lock-wait.ts";

/** Runs transactions on a database, one after the other. */
interface Connection {
  readonly database: SqliteDatabase;
  /** Commits all of the work or nothing. Repeats the work when another process holds the lock. */
  write<T>(work: () => T): Promise<T>;
  /** Reads one consistent state, without blocking writers. */
  read<T>(work: () => T): Promise<T>;
}

/** Two kinds of transactions on one connection. A second connection would invalidate the page cache of the first. */
export interface Connections {
  /** Durable: a commit is on the disk when it resolves. */
  readonly safe: Connection;
  /**
   * Not durable: other processes see a commit at once, but it reaches the disk with the next safe commit. For leases
   * and reservations, which only running processes need: a power loss also ends the processes that hold them.
   */
  readonly light: Connection;
  /** Finishes pending writes, moves the write-ahead log into the database and closes it. */
  close(): Promise<void>;
}

export interface ConnectionOptions extends LockWait {
  /** Throws when the file at the path is no longer the opened database. */
  readonly checkFile: () => void;
}

/** Creates the two kinds of transactions. The connection must have `PRAGMA synchronous = FULL`. */
export function createConnections(database: SqliteDatabase, options: ConnectionOptions): Connections {
  const { path, checkFile } = options;
  const beginRead = database.prepare("BEGIN");
  const beginWrite = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  let pendingWrites: Promise<unknown> = Promise.resolve();
  let isSynchronousFull = true;
  let isClosed = false;
  /** An error after which the connection cannot be trusted. */
  let fatalError: unknown;

  const transact = <T>(begin: SqliteStatement, work: () => T): T => {
    begin.run();
    try {
      const value = work();
      commit.run();
      return value;
    } catch (error) {
      rollBack(database);
      throw error;
    }
  };
  const restoreSynchronousFull = () => {
    if (!isSynchronousFull) database.exec("PRAGMA synchronous = FULL");
    isSynchronousFull = true;
  };
  const writeSafely = <T>(work: () => T): T => {
    restoreSynchronousFull();
    return transact(beginWrite, work);
  };
  const writeLightly = <T>(work: () => T): T => {
    isSynchronousFull = false;
    try {
      database.exec("PRAGMA synchronous = NORMAL");
      return transact(beginWrite, work);
    } finally {
      try {
        restoreSynchronousFull();
      } catch {
        // The commit succeeded and must not be repeated; the next safe transaction sets the pragma first.
      }
    }
  };
  const checkUsable = () => {
    if (fatalError !== undefined)
      throw new DatabaseError(
        `The database ${path} failed before and is not trusted any more: restart.`,
        "SQLITE_IOERR",
        { cause: fatalError },
      );
    checkFile();
  };
  const run = async <T>(transaction: () => T): Promise<T> => {
    try {
      return await retryWhileLocked(transaction, options);
    } catch (error) {
      if (isFatal(error)) fatalError ??= error;
      throw explain(error, path);
    }
  };
  const checkOpen = () => {
    if (isClosed) throw new Error(`The database ${path} is closed.`);
  };
  const createConnection = (write: <T>(work: () => T) => T): Connection => ({
    database,
    async write(work) {
      checkOpen();
      const result = pendingWrites.then(() =>
        run(() => {
          checkUsable();
          return write(work);
        }),
      );
      pendingWrites = result.catch(() => undefined); // the caller receives the error
      return result;
    },
    async read(work) {
      checkOpen();
      return run(() => transact(beginRead, work));
    },
  });

  return {
    safe: createConnection(writeSafely),
    light: createConnection(writeLightly),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await pendingWrites;
      await nextEventLoopTurn(); // the callers of pending writes continue first
      try {
        if (fatalError === undefined) emptyLog(database);
      } finally {
        database.close();
      }
    },
  };
}

/** Rolls back the current transaction, if there is one. */
function rollBack(database: SqliteDatabase): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // SQLite has rolled back already, as it does for some errors.
  }
}

/** Moves the write-ahead log into the database, unless other processes use it. */
function emptyLog(database: SqliteDatabase): void {
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // For example, the disk is full. Everything is in the log, where the next process finds it.
  }
}
