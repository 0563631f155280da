import type { Message } from "@sheepdog/agent";
import { thisProcess } from "../../../src/stores/holder.ts";
import { migrations } from "../../../src/stores/sqlite/migrations.ts";
import { sqliteStores } from "../../../src/stores/sqlite/sqlite-stores.ts";
import { databaseIn, session } from "../scenario.ts";
import { report } from "../step.ts";

export interface OpenOrder {
  readonly folder: string;
  /** One more migration than there is. */
  readonly isMigrating?: boolean;
}

/** The next migration, some day. */
export const nextMigration =
  "CREATE TABLE later (n INTEGER PRIMARY KEY, text TEXT) STRICT; INSERT INTO later VALUES (1, 'one'), (2, 'two'); ALTER TABLE facts ADD COLUMN later INTEGER";

/** Opens a database, or makes one, writes to it twice and closes it: what was written is then moved out of its log. */
export async function open({ folder, isMigrating = false }: OpenOrder): Promise<void> {
  const stores = await sqliteStores({
    path: databaseIn(folder),
    ...(isMigrating ? { migrations: [...migrations, nextMigration] } : {}),
  });
  report({ opened: true });
  const claimed = await stores.sessions.claim(session, thisProcess(), Date.now());
  if (!claimed.ok) throw new Error("Expected a session nobody has.");
  for (const n of [1, 2]) {
    await stores.sessions.commit(claimed.lease, { at: n, messages: [said(n)] });
    report({ committed: n });
  }
  await stores.close();
  report({ closed: true });
}

function said(n: number): Message {
  return { role: "user", id: `msg_${n}`, at: n, origin: "person", text: `${n} `.repeat(4_000) };
}
