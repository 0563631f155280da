import type { SqliteDatabase } from "@sheepdog/records";
import { DatabaseError, explain, isBusy, isFatal } from "./errors.ts";
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
  return new Transactions(database, health);
}

class Transactions implements Connections {
  readonly safe: Connection;
  readonly light: Connection;
  readonly database: SqliteDatabase;
  private readonly health: Health;
  private readonly begin: Prepared;
  private readonly beginWrite: Prepared;
  private readonly commit: Prepared;
  /** Those who wait for another process's lock, and for each other. */
  private inLine = 0;
  private last: Promise<unknown> = Promise.resolve();
  private isSyncing = true;

  constructor(database: SqliteDatabase, health: Health) {
    this.database = database;
    this.health = health;
    this.begin = database.prepare("BEGIN");
    this.beginWrite = database.prepare("BEGIN IMMEDIATE");
    this.commit = database.prepare("COMMIT");
    this.safe = new Way(this, true);
    this.light = new Way(this, false);
  }

  /** At once where nobody has the lock or waits for it, as is nearly always so. */
  async write<T>(work: () => T, isSafe: boolean): Promise<T> {
    checkOpen(this.health);
    if (this.inLine === 0) {
      try {
        return this.transact(work, isSafe);
      } catch (error) {
        if (!isBusy(error)) throw this.explained(error);
      }
    }
    this.inLine += 1;
    const done = this.last.then(() => this.whenFree(() => this.transact(work, isSafe)));
    this.last = done.then(this.leave, this.leave); // an error is told to the one who asked
    return done;
  }

  async read<T>(work: () => T): Promise<T> {
    checkOpen(this.health);
    return this.whenFree(() => this.attempt(this.begin, work));
  }

  async close(finish?: (database: SqliteDatabase) => void): Promise<void> {
    await this.last;
    try {
      if (this.health.failed === undefined) finish?.(this.database);
    } finally {
      this.database.close();
    }
  }

  private readonly leave = () => {
    this.inLine -= 1;
  };

  private async whenFree<T>(work: () => T): Promise<T> {
    try {
      return await whenFree(work, this.health);
    } catch (error) {
      throw this.explained(error);
    }
  }

  private explained(error: unknown): unknown {
    if (isFatal(error)) this.health.failed ??= error;
    return explain(error, this.health.path);
  }

  private transact<T>(work: () => T, isSafe: boolean): T {
    const { failed, path, checkPresence } = this.health;
    if (failed !== undefined)
      throw new DatabaseError(`The database ${path} failed before and is not trusted any more: restart.`, "SQLITE_IOERR", { cause: failed });
    checkPresence();
    return isSafe ? this.safely(work) : this.lightly(work);
  }

  private safely<T>(work: () => T): T {
    this.sync();
    return this.attempt(this.beginWrite, work);
  }

  /** A pragma is done while it is prepared, so that these two cannot be prepared once and run again. */
  private lightly<T>(work: () => T): T {
    this.isSyncing = false;
    try {
      this.database.exec("PRAGMA synchronous = NORMAL");
      return this.attempt(this.beginWrite, work);
    } finally {
      try {
        this.sync();
      } catch {
        // What was committed is not to be done again: the next safe transaction does not begin without it.
      }
    }
  }

  private sync(): void {
    if (!this.isSyncing) this.database.exec("PRAGMA synchronous = FULL");
    this.isSyncing = true;
  }

  private attempt<T>(opening: Prepared, work: () => T): T {
    opening.run();
    try {
      const value = work();
      this.commit.run();
      return value;
    } catch (error) {
      rollBack(this.database);
      throw error;
    }
  }
}

/** One of the two ways of a connection. */
class Way implements Connection {
  readonly database: SqliteDatabase;
  private readonly transactions: Transactions;
  private readonly isSafe: boolean;

  constructor(transactions: Transactions, isSafe: boolean) {
    this.database = transactions.database;
    this.transactions = transactions;
    this.isSafe = isSafe;
  }

  write<T>(work: () => T): Promise<T> {
    return this.transactions.write(work, this.isSafe);
  }

  read<T>(work: () => T): Promise<T> {
    return this.transactions.read(work);
  }
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
