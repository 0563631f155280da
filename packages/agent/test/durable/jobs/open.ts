import type { Message } from "@sheepdog/agent";
import { thisProcess } from "../../../src/stores/holder.ts";
import { sqliteStores } from "../../../src/stores/sqlite/sqlite-stores.ts";
import { databaseIn, session } from "../scenario.ts";
import { report } from "../step.ts";

export interface OpenInput {
  readonly folder: string;
}

/** Opens or creates a database, commits twice, and closes it, which empties the write-ahead log. */
export async function open({ folder }: OpenInput): Promise<void> {
  const stores = await sqliteStores({ path: databaseIn(folder) });
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
