import type { SqliteDatabase } from "@sheepdog/records";
import { DatabaseError, explain, isFatal } from "./errors.ts";
import { type Waiting, whenFree } from "./when-free.ts";

/** A connection whose transactions are done one after the other. */
export interface Connection {
  readonly database: SqliteDatabase;
  /** All of the work or nothing. It is begun anew where another process had the lock: it changes nothing but the database. */
  write<T>(work: () => T): Promise<T>;
  /** Reads one state of the database, and takes no lock that keeps others from writing. */
  read<T>(work: () => T): Promise<T>;
  /** Closes when what was begun has been done, and then this. */
  close(last?: (database: SqliteDatabase) => void): Promise<void>;
}

/** What the connections of one database share: whether it has failed, and whether it is still the one at its path. */
export interface Health extends Waiting {
  failed?: unknown;
  isClosed: boolean;
  /** Throws where it is not. */
  readonly checkPresence: () => void;
}

/** Transactions on a connection. */
export function createConnection(database: SqliteDatabase, health: Health): Connection {
  const [begin, beginWrite, commit] = ["BEGIN", "BEGIN IMMEDIATE", "COMMIT"].map((sql) => database.prepare(sql)) as [Prepared, Prepared, Prepared]; // three for three
  let last: Promise<unknown> = Promise.resolve();

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
  const explained = async <T>(work: () => T): Promise<T> => {
    try {
      return await whenFree(work, health);
    } catch (error) {
      if (isFatal(error)) health.failed ??= error;
      throw explain(error, health.path);
    }
  };
  const write = async <T>(work: () => T): Promise<T> => {
    if (health.failed !== undefined)
      throw new DatabaseError(`The database ${health.path} failed before and is not trusted any more: restart.`, "SQLITE_IOERR", { cause: health.failed });
    return explained(() => {
      health.checkPresence();
      return attempt(beginWrite, work);
    });
  };

  return {
    database,
    async write(work) {
      checkOpen(health);
      const done = last.then(() => write(work));
      last = done.catch(() => undefined); // told to the one who asked
      return done;
    },
    async read(work) {
      checkOpen(health);
      return explained(() => attempt(begin, work));
    },
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
