import type { Message } from "@sheepdog/agent";
import { thisProcess } from "../../../src/stores/holder.ts";
import { migrations } from "../../../src/stores/sqlite/migrations.ts";
import { sqliteStores } from "../../../src/stores/sqlite/sqlite-stores.ts";
import { databaseIn, session } from "../scenario.ts";
import { report } from "../step.ts";

export interface OpenInput {
  readonly folder: string;
  /** Add a migration to the current ones. */
  readonly isMigrating?: boolean;
}

/** A migration for tests. */
export const nextMigration =
  "CREATE TABLE later (n INTEGER PRIMARY KEY, text TEXT) STRICT; INSERT INTO later VALUES (1, 'one'), (2, 'two'); " +
  "ALTER TABLE facts ADD COLUMN later INTEGER";

/** Opens or creates a database, commits twice, and closes it, which empties the write-ahead log. */
export async function open({ folder, isMigrating = false }: OpenInput): Promise<void> {
  const stores = await sqliteStores({
    path: databaseIn(folder),
    ...(isMigrating ? { migrations: [...migrations, nextMigration] } : {}),
  });
  report({ opened: true });
  const claimed = await stores.sessions.claim(session, thisProcess(), Date.now());
  if (!claimed.ok) throw new Error("Expected a free session.");
  for (const n of [1, 2]) {
    await stores.sessions.commit(claimed.lease, { at: n, messages: [longMessage(n)] });
    report({ committed: n });
  }
  await stores.close();
  report({ closed: true });
}

function longMessage(n: number): Message {
  return { role: "user", id: `msg_${n}`, at: n, origin: "person", text: `${n} `.repeat(4_000) };
}
