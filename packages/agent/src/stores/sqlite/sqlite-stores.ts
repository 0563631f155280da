import type { Stores } from "../stores.ts";
import { raiseLowBalances } from "./balances.ts";
import { explainStatement } from "./errors.ts";
import { openSqlite, type Sqlite, type SqliteOptions } from "./open-sqlite.ts";
import { sqliteAudit } from "./sqlite-audit.ts";
import { sqliteCosts } from "./sqlite-costs.ts";
import { sqliteEvents } from "./sqlite-events.ts";
import { sqliteFacts } from "./sqlite-facts.ts";
import { sqliteLessons } from "./sqlite-lessons.ts";
import { sqliteSessions } from "./sqlite-sessions.ts";

/**
 * Stores in a SQLite database, which several processes may use at the same time. Rejects with a `DatabaseError` when it
 * cannot be used, and with a `DamagedDatabaseError` when SQLite says that it is damaged; later methods do, too.
 */
export async function sqliteStores(options: SqliteOptions): Promise<Stores> {
  const sqlite = await openSqlite(options);
  const stores = await storesOf(sqlite);
  try {
    await raiseLowBalances(sqlite);
    return stores;
  } catch (error) {
    await sqlite.close();
    throw error;
  }
}

/** The stores of an open database. Closes it when they cannot be created. */
export async function storesOf(sqlite: Sqlite): Promise<Stores> {
  try {
    return createStores(sqlite);
  } catch (error) {
    await sqlite.close();
    throw explainStatement(error, sqlite.path);
  }
}

function createStores(sqlite: Sqlite): Stores {
  return {
    sessions: sqliteSessions(sqlite),
    costs: sqliteCosts(sqlite),
    events: sqliteEvents(sqlite),
    memory: sqliteFacts(sqlite),
    audit: sqliteAudit(sqlite),
    lessons: sqliteLessons(sqlite),
    close: () => sqlite.close(),
  };
}
