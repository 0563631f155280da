import type { SqliteDatabase } from "@sheepdog/records";
import { callOut } from "../../async/call-out.ts";
import { keepShape } from "../../async/keep-shape.ts";
import { DatabaseError, explain, isBusy, isFatal } from "./errors.ts";
import { type LockWait, retryWhileLocked } from "./lock-wait.ts";
import { noDatabase } from "./no-database.ts";

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
export class Health implements LockWait {
  readonly path: string;
  readonly lockWaitMs: number | undefined;
  readonly onWait: ((waitedMs: number) => void) | undefined;
  readonly presence: Presence;
  failed: unknown = undefined;
  isClosed = false;

  constructor({ path, lockWaitMs, onWait }: LockWait, presence: Presence) {
    this.path = path;
    this.lockWaitMs = lockWaitMs;
    this.onWait = onWait;
    this.presence = presence;
  }
}

/** Looks whether a database is still the one at its path. */
export interface Presence {
  /** Throws where it is not. */
  check(): void;
}

/** The two ways, by a connection that syncs with every commit: between light transactions it always does. */
export function createConnections(database: SqliteDatabase, health: Health): Connections {
  const transactions = new Transactions(database, health);
  return {
    safe: new Way(transactions, true),
    light: new Way(transactions, false),
    async close(finish) {
      await transactions.last;
      try {
        if (health.failed === undefined) finish?.(database);
      } finally {
        database.close();
      }
    },
  };
}

class Way implements Connection {
  readonly database: SqliteDatabase;
  private readonly transactions: Transactions;
  private readonly isSafe: boolean;

  constructor(transactions: Transactions, isSafe: boolean) {
    this.database = transactions.database;
    this.transactions = transactions;
    this.isSafe = isSafe;
  }

  /** At once where nobody waits, or in line. */
  async write<T>(work: () => T): Promise<T> {
    const { transactions, isSafe } = this;
    checkOpen(transactions.health);
    if (transactions.waiting > 0) return transactions.inLine(work, isSafe);
    try {
      return transactions.write(work, isSafe);
    } catch (error) {
      if (isBusy(error)) return transactions.inLine(work, isSafe);
      throw transactions.explained(error);
    }
  }

  async read<T>(work: () => T): Promise<T> {
    const { transactions } = this;
    checkOpen(transactions.health);
    try {
      return await retryWhileLocked(() => transactions.read(work), transactions.health);
    } catch (error) {
      throw transactions.explained(error);
    }
  }
}

/** One after the other. */
class Transactions {
  readonly database: SqliteDatabase;
  readonly health: Health;
  /** How many are in line, and the last of them. */
  waiting = 0;
  last: Promise<unknown> = Promise.resolve();
  private readonly begin: Prepared;
  private readonly beginWrite: Prepared;
  private readonly commit: Prepared;
  private isSyncing = true;

  constructor(database: SqliteDatabase, health: Health) {
    this.database = database;
    this.health = health;
    this.begin = database.prepare("BEGIN");
    this.beginWrite = database.prepare("BEGIN IMMEDIATE");
    this.commit = database.prepare("COMMIT");
  }

  read<T>(work: () => T): T {
    return this.attempt(this.begin, work);
  }

  write<T>(work: () => T, isSafe: boolean): T {
    const { failed, path, presence } = this.health;
    if (failed !== undefined)
      throw new DatabaseError(
        `The database ${path} failed before and is not trusted any more: restart.`,
        "SQLITE_IOERR",
        { cause: failed },
      );
    presence.check();
    if (!isSafe) return this.writeLightly(work);
    this.sync();
    return this.attempt(this.beginWrite, work);
  }

  /** When those before it are done, and nobody else has the lock. */
  inLine<T>(work: () => T, isSafe: boolean): Promise<T> {
    this.waiting += 1;
    const done = this.last.then(() => this.untilFree(() => this.write(work, isSafe)));
    this.last = done.catch(() => undefined); // told to the one who asked
    return done;
  }

  private async untilFree<T>(transact: () => T): Promise<T> {
    try {
      return await retryWhileLocked(transact, this.health);
    } catch (error) {
      throw this.explained(error);
    } finally {
      this.waiting -= 1;
    }
  }

  /** The error in words. One after which nothing can be trusted is the end of writing. */
  explained(error: unknown): unknown {
    if (isFatal(error)) this.health.failed ??= error;
    return explain(error, this.health.path);
  }

  /** A pragma is done while it is prepared, so that these two cannot be prepared once and run again. */
  private writeLightly<T>(work: () => T): T {
    this.isSyncing = false;
    try {
      callOut(this.database, "exec", "PRAGMA synchronous = NORMAL");
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
    if (!this.isSyncing) callOut(this.database, "exec", "PRAGMA synchronous = FULL");
    this.isSyncing = true;
  }

  private attempt<T>(opening: Prepared, work: () => T): T {
    opening.get();
    try {
      const value = work();
      this.commit.get();
      return value;
    } catch (error) {
      rollBack(this.database);
      throw error;
    }
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

keepShape(createConnections(noDatabase, new Health({ path: "" }, { check: () => undefined })).safe);
