import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "@sheepdog/records";
import { thisProcess } from "../../holder.ts";
import { sqliteStores } from "../sqlite-stores.ts";

const [job = "", path = "", sessionId = "ses_1"] = process.argv.slice(2);

/** Jobs on a database. A job prints one word when its work is done, and ends with its standard input. */
const jobs: Readonly<Record<string, () => Promise<void>>> = {
  async lock() {
    const database = await openDatabase(path);
    database.exec("BEGIN IMMEDIATE");
    await printAndWait("locked");
    database.exec("COMMIT");
    database.close();
  },
  async claim() {
    const stores = await sqliteStores({ path });
    const claimed = await stores.sessions.claim(sessionId, thisProcess(), Date.now());
    await printAndWait(claimed.ok ? "claimed" : "refused");
    await stores.close();
  },
  /** Fifty times: claims the session, writes the number of its messages, and releases it. */
  async count() {
    const stores = await sqliteStores({ path });
    const holder = thisProcess();
    for (let written = 0; written < 50; ) {
      const claimed = await stores.sessions.claim(sessionId, holder, Date.now());
      if (claimed.ok) {
        const n = (await stores.sessions.load(sessionId)).messages.length;
        const message = { role: "user", id: holder.id, at: n, origin: "person", text: String(n) } as const;
        await stores.sessions.commit(claimed.lease, { at: Date.now(), messages: [message] });
        await stores.sessions.release(claimed.lease);
        written += 1;
      }
      await pause(Math.random() * 3);
    }
    await stores.close();
  },
  /** Writes fifty events to a session of its own, each with a commit. */
  async events() {
    const stores = await sqliteStores({ path });
    const ownSession = `ses_${process.pid}`;
    const claimed = await stores.sessions.claim(ownSession, thisProcess(), Date.now());
    if (!claimed.ok) throw new Error("Expected a free session.");
    for (let seq = 1; seq <= 50; seq += 1) {
      const event = { type: "TurnStarted", turn: seq, seq, at: seq, severity: "debug", runId: "run_1" } as const;
      await stores.sessions.commit(claimed.lease, { at: seq, events: [{ ...event, sessionId: ownSession }] });
      await pause(Math.random() * 3);
    }
    await stores.close();
  },
};

async function printAndWait(word: string): Promise<void> {
  process.stdout.write(word);
  for await (const _ of process.stdin);
}

await jobs[job]?.();
