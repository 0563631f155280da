import { openDatabase } from "@sheepdog/records";
import { expect, test } from "vitest";
import { editFile } from "../../../test/rebuild-fixture.ts";
import { claimLease } from "../../../test/sample-runs.ts";
import { event } from "../../../test/stores-contract/samples.ts";
import type { Stores } from "../stores.ts";
import { migrations } from "./migrations.ts";
import { openOrRebuild } from "./open-or-rebuild.ts";
import { openSqlite } from "./open-sqlite.ts";
import { sqliteStores } from "./sqlite-stores.ts";
import { freshFolder } from "./testing/fresh-folder.ts";

const inFolder = freshFolder();

/** A closed database in which two sessions have written events in turn. */
async function writtenDatabase() {
  const path = inFolder("x.db");
  const stores = await sqliteStores({ path });
  for (const [sessionId, seq] of [
    ["ses_1", 1],
    ["ses_2", 1],
    ["ses_1", 2],
    ["ses_2", 2],
  ] as const)
    await write(stores, sessionId, seq);
  const batches = await stores.events.batchesAfter(0, 100);
  await stores.close();
  return { path, batches };
}

async function write(stores: Stores, sessionId: string, seq: number): Promise<void> {
  const lease = await claimLease(stores, sessionId, 0);
  await stores.sessions.commit(lease, { at: seq, events: [event(sessionId, seq)] });
  await stores.sessions.release(lease);
}

async function change(path: string, sql: string): Promise<void> {
  const database = await openDatabase(path);
  database.exec(sql);
  database.close();
}

test("a database of the version before gets a batch for each commit, in order of time", async () => {
  const path = inFolder("x.db");
  await (await openSqlite({ path, migrations: migrations.slice(0, 5) })).close();
  const row = (session: number, seq: number, at: number) =>
    `(${session * 2 ** 30 + seq}, '${JSON.stringify([{ ...event(`ses_${session}`, seq), at }])}')`;
  await change(
    path,
    `INSERT INTO sessions (key, id, fence, renewed_at, updated_at, last_seq)
       VALUES (1, 'ses_1', 1, 0, 9, 3), (2, 'ses_2', 2, 0, 9, 2);
     INSERT INTO events VALUES ${[row(1, 1, 10), row(1, 2, 40), row(1, 3, 30), row(2, 1, 20), row(2, 2, 50)].join()}`,
  );
  const stores = await sqliteStores({ path });
  const batches = await stores.events.batchesAfter(0, 100);
  expect(batches.map(({ sessionId, events }) => [sessionId, events[0]?.seq])).toEqual([
    ["ses_1", 1],
    ["ses_2", 1],
    ["ses_1", 2],
    ["ses_1", 3], // its clock went back, but a session keeps its order
    ["ses_2", 2],
  ]);
  await stores.close();
});

test("a row that cannot be read hides no other event, and its batch is empty", async () => {
  const { path, batches } = await writtenDatabase();
  await change(path, `UPDATE events SET json = 'no json' WHERE row_key = ${2 ** 30 + 1}`);
  const stores = await sqliteStores({ path, quickCheck: false });
  expect(await stores.events.batchesAfter(0, 100)).toEqual([{ ...batches[0], events: [] }, ...batches.slice(1)]);
  expect(await stores.events.after("ses_1", 0)).toEqual([event("ses_1", 2)]);
  await stores.close();
});

test("events keep their positions when a damaged database is rebuilt", async () => {
  const { path, batches } = await writtenDatabase();
  editFile(path, (bytes) => bytes.write("Not a database!", 0));
  const { stores, rebuilt } = await openOrRebuild({ path });
  expect(rebuilt?.lost).toEqual([]);
  expect(await stores.events.batchesAfter(0, 100)).toEqual(batches);
  await stores.close();
});

test("events whose positions are lost get new ones above all that were given out", async () => {
  const { path, batches } = await writtenDatabase();
  const last = batches.at(-1)?.position ?? 0;
  await change(path, "DELETE FROM event_batches; DELETE FROM sqlite_sequence");
  editFile(path, (bytes) => bytes.write("Not a database!", 0));
  const { stores, rebuilt } = await openOrRebuild({ path });
  expect(rebuilt?.lost).toEqual([]);
  const again = await stores.events.batchesAfter(last, 100);
  expect(again.flatMap(({ events }) => events)).toHaveLength(4);
  await stores.close();
});

test("positions start at the time at which the database was made, above those of an older one", async () => {
  const madeAt = Date.now();
  const { batches } = await writtenDatabase();
  expect(batches[0]?.position).toBeGreaterThan(madeAt - 10);
  expect(batches[0]?.position).toBeLessThan(Date.now() + 10);
});
