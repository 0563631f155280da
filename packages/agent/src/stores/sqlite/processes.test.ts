import { afterAll, beforeAll, expect, test } from "vitest";
import { thisProcess } from "../holder.ts";
import { sqliteStores } from "./sqlite-stores.ts";
import { freshFolder } from "./testing/fresh-folder.ts";
import { buildOtherProcesses, type OtherProcesses } from "./testing/other-process.ts";

const inFolder = freshFolder();
let others: OtherProcesses;
beforeAll(async () => {
  others = await buildOtherProcesses();
});
afterAll(() => others.remove());

test("while another process holds the lock, this one reads, reports the wait, and writes afterwards", async () => {
  const path = inFolder("x.db");
  const waits: number[] = [];
  const stores = await sqliteStores({ path, onWait: (ms) => waits.push(ms) });
  const claimed = await stores.sessions.claim("ses_1", thisProcess(), 0);
  if (!claimed.ok) throw new Error("Expected a free session.");
  const other = others.start("lock", path);
  expect(await other.word).toBe("locked");

  let [ticks, isDone] = [0, false];
  const timer = setInterval(() => (ticks += 1), 5);
  const message = { role: "user", id: "1", at: 1, origin: "person", text: "hello" } as const;
  const committed = stores.sessions.commit(claimed.lease, { at: 1, messages: [message] }).then(() => (isDone = true));
  await expect.poll(() => waits.length, { timeout: 20_000 }).toBe(1);
  expect(ticks).toBeGreaterThan(10);
  expect(isDone).toBe(false);
  expect((await stores.sessions.load("ses_1")).messages).toEqual([]);
  expect(await other.end()).toBe(0);
  await committed;
  clearInterval(timer);
  expect((await stores.sessions.load("ses_1")).messages).toEqual([message]);
  expect(waits).toHaveLength(1);
  await stores.close();
});

test("closing waits for writes that wait for a lock, and they finish in order", async () => {
  const path = inFolder("x.db");
  const stores = await sqliteStores({ path });
  const other = others.start("lock", path);
  await other.word;
  const done: string[] = [];
  const claims = ["ses_1", "ses_2", "ses_3"].map((id) =>
    stores.sessions.claim(id, thisProcess(), 0).then(() => done.push(id)),
  );
  const closed = stores.close().then(() => done.push("closed"));
  await other.end();
  await Promise.all([...claims, closed]);
  expect(done).toEqual(["ses_1", "ses_2", "ses_3", "closed"]);
});

test("a lock that is never released fails a write after the configured time", async () => {
  const path = inFolder("x.db");
  const stores = await sqliteStores({ path, lockWaitMs: 50 });
  const other = others.start("lock", path);
  await other.word;
  await expect(stores.sessions.claim("ses_1", thisProcess(), 0)).rejects.toMatchObject({
    code: "SQLITE_BUSY",
    message: expect.stringContaining(path),
  });
  await other.end();
  expect(await stores.sessions.claim("ses_1", thisProcess(), 0)).toMatchObject({ ok: true });
  await stores.close();
});

test("two processes that compete for a session write one after the other, and nothing is lost", async () => {
  const path = inFolder("x.db");
  expect(
    await Promise.all([others.start("count", path), others.start("count", path)].map((other) => other.end())),
  ).toEqual([0, 0]);
  const stores = await sqliteStores({ path });
  const { messages } = await stores.sessions.load("ses_1");
  expect(messages.map((message) => message.role === "user" && message.text)).toEqual(
    Array.from({ length: 100 }, (_, n) => String(n)),
  );
  expect(new Set(messages.map(({ id }) => id)).size).toBe(2);
  await stores.close();
});

test("a reader that follows the positions misses no event of two processes that write at the same time", async () => {
  const path = inFolder("x.db");
  const stores = await sqliteStores({ path });
  const seqs = new Map<string, number[]>();
  let position = 0;
  const readOn = async () => {
    for (const batch of await stores.events.batchesAfter(position, 3)) {
      expect(batch.position).toBeGreaterThan(position);
      position = batch.position;
      seqs.set(batch.sessionId, [...(seqs.get(batch.sessionId) ?? []), ...batch.events.map(({ seq }) => seq)]);
    }
    return seqs.size === 2 && [...seqs.values()].every(({ length }) => length === 50);
  };
  const started = [others.start("events", path), others.start("events", path)];
  await expect.poll(readOn, { timeout: 20_000, interval: 1 }).toBe(true);
  expect(await Promise.all(started.map((other) => other.end()))).toEqual([0, 0]);
  const all = Array.from({ length: 50 }, (_, n) => n + 1);
  expect([...seqs.values()]).toEqual([all, all]);
  expect(await stores.events.lastPosition()).toBe(position);
  await stores.close();
});

test("the lease of a running process is refused, and that of a killed process is granted at once", async () => {
  const path = inFolder("x.db");
  const stores = await sqliteStores({ path });
  const other = others.start("claim", path);
  expect(await other.word).toBe("claimed");
  expect(await stores.sessions.claim("ses_1", thisProcess(), Date.now())).toMatchObject({ ok: false });
  await other.kill();
  expect(await stores.sessions.claim("ses_1", thisProcess(), Date.now())).toMatchObject({ ok: true });
  await stores.close();
});

test("many processes that open a new database at the same time create one", async () => {
  const path = inFolder("new", "x.db");
  const started = Array.from({ length: 6 }, () => others.start("claim", path));
  const words = await Promise.all(started.map(({ word }) => word));
  expect(words.toSorted()).toEqual(["claimed", "refused", "refused", "refused", "refused", "refused"]);
  expect(await Promise.all(started.map((other) => other.end()))).toEqual([0, 0, 0, 0, 0, 0]);
});
