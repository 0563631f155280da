import type { Stores } from "../stores.ts";
import { openSqlite, type Sqlite, type SqliteOptions } from "./open-sqlite.ts";
import { sqliteAudit } from "./sqlite-audit.ts";
import { sqliteCosts } from "./sqlite-costs.ts";
import { sqliteEvents } from "./sqlite-events.ts";
import { sqliteFacts } from "./sqlite-facts.ts";
import { sqliteLessons } from "./sqlite-lessons.ts";
import { sqliteSessions } from "./sqlite-sessions.ts";

/**
 * Stores in a SQLite database, which several processes may use at the same time.
 * Rejects with `DamagedDatabaseError` when the database is damaged.
 */
export async function sqliteStores(options: SqliteOptions): Promise<Stores> {
  return storesOf(await openSqlite(options));
}

/** The stores of an open database. */
export function storesOf(sqlite: Sqlite): Stores {
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
