import type { SqliteDatabase } from "@sheepdog/records";
import { DatabaseError, explain, isFatal } from "./errors.ts";
import { type Waiting, whenFree } from "./when-free.ts";

/** A way to write to a database and to read from it. Transactions are done one after the other. */
interface Connection {
  readonly database: SqliteDatabase;
  /** All of the work or nothing. It is begun anew where another process had the lock: it changes nothing but the database. */
  write<T>(work: () => T): Promise<T>;
  /** Reads one state of the database, and takes no lock that keeps others from writing. */
  read<T>(work: () => T): Promise<T>;
}

/** The two ways of one connection. One of its own for each would empty the other's memory with every commit. */
export interface Connections {
  /** What was committed here is on the disk. */
  readonly safe: Connection;
  /**
   * What was committed here is seen by every process at once, and reaches the disk with the next safe commit: good for what only living processes need. A power
   * loss takes leases and reservations, together with all the processes that hold them and the requests that were not answered yet.
   */
  readonly light: Connection;
  /** Closes when what was begun has been done, and then this. */
  close(last?: (database: SqliteDatabase) => void): Promise<void>;
}

/** What is known of a database while it is open: whether it has failed, and whether it is still the one at its path. */
export interface Health extends Waiting {
  failed?: unknown;
  isClosed: boolean;
  /** Throws where it is not. */
  readonly checkPresence: () => void;
}

/** Transactions on a connection that syncs with every commit: between light ones it always does. */
export function createConnections(database: SqliteDatabase, health: Health): Connections {
  const [begin, beginWrite, commit] = ["BEGIN", "BEGIN IMMEDIATE", "COMMIT"].map((sql) => database.prepare(sql)) as [Prepared, Prepared, Prepared]; // three for three
  let last: Promise<unknown> = Promise.resolve();
  let isSyncing = true;

  const attempt = <T>(opening: Prepared, work: () => T): T => {
    opening.run();
    try {
      const value = work();
      commit.run();
      return value;
    } catch (error) {
      rollBack(database);
      throw error;
    }
  };
  const sync = () => {
    if (!isSyncing) database.exec("PRAGMA synchronous = FULL");
    isSyncing = true;
  };
  const safely = <T>(work: () => T): T => {
    sync();
    return attempt(beginWrite, work);
  };
  /** A pragma is done while it is prepared, so that these two cannot be prepared once and run again. */
  const lightly = <T>(work: () => T): T => {
    isSyncing = false;
    try {
      database.exec("PRAGMA synchronous = NORMAL");
      return attempt(beginWrite, work);
    } finally {
      try {
        sync();
      } catch {
        // What was committed is not to be done again: the next safe transaction does not begin without it.
      }
    }
  };
  const explained = async <T>(work: () => T): Promise<T> => {
    try {
      return await whenFree(work, health);
    } catch (error) {
      if (isFatal(error)) health.failed ??= error;
      throw explain(error, health.path);
    }
  };
  const write = async <T>(act: () => T): Promise<T> => {
    if (health.failed !== undefined)
      throw new DatabaseError(`The database ${health.path} failed before and is not trusted any more: restart.`, "SQLITE_IOERR", { cause: health.failed });
    return explained(() => {
      health.checkPresence();
      return act();
    });
  };
  const connectionBy = (transact: typeof safely): Connection => ({
    database,
    async write(work) {
      checkOpen(health);
      const done = last.then(() => write(() => transact(work)));
      last = done.catch(() => undefined); // told to the one who asked
      return done;
    },
    async read(work) {
      checkOpen(health);
      return explained(() => attempt(begin, work));
    },
  });

  return {
    safe: connectionBy(safely),
    light: connectionBy(lightly),
    async close(finish) {
      await last;
      try {
        if (health.failed === undefined) finish?.(database);
      } finally {
        database.close();
      }
    },
  };
}

type Prepared = ReturnType<SqliteDatabase["prepare"]>;

function checkOpen({ isClosed, path }: Health): void {
  if (isClosed) throw new Error(`The database ${path} is closed.`);
}

/** Undoes what was not committed. */
export function rollBack(database: SqliteDatabase): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // SQLite has rolled back already, as it does for some errors
  }
}
