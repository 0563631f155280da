import { openDatabase } from "@sheepdog/records";
import { expect, test } from "vitest";
import { claimLease } from "../../../test/sample-runs.ts";
import { event } from "../../../test/stores-contract/samples.ts";
import type { Stores } from "../stores.ts";
import { rebuildDatabase } from "./rebuild.ts";
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

test("a row that cannot be read hides no other event, and its batch is empty", async () => {
  const { path, batches } = await writtenDatabase();
  await change(path, `UPDATE events SET json = 'no json' WHERE row_key = ${2 ** 30 + 1}`);
  const stores = await sqliteStores({ path });
  expect(await stores.events.batchesAfter(0, 100)).toEqual([{ ...batches[0], events: [] }, ...batches.slice(1)]);
  expect(await stores.events.after("ses_1", 0)).toEqual([event("ses_1", 2)]);
  await stores.close();
});

test("events keep their positions when the database is rebuilt", async () => {
  const { path, batches } = await writtenDatabase();
  await change(path, "DROP TABLE lessons");
  expect((await rebuildDatabase({ path }))?.lost).toEqual([expect.stringContaining("lessons")]);
  const stores = await sqliteStores({ path });
  expect(await stores.events.batchesAfter(0, 100)).toEqual(batches);
  await stores.close();
});

test("events whose positions are lost get new ones above all that were given out, in order of time", async () => {
  const { path, batches } = await writtenDatabase();
  const last = batches.at(-1)?.position ?? 0;
  await change(
    path,
    `UPDATE events SET json = json_set(json, '$[0].at', position) FROM event_batches AS batch
       WHERE batch.row_key = events.row_key;
     DROP TABLE event_batches`,
  );
  await rebuildDatabase({ path });
  const stores = await sqliteStores({ path });
  const again = await stores.events.batchesAfter(last, 100);
  const names = (list: typeof batches) => list.map(({ sessionId, events }) => [sessionId, events[0]?.seq]);
  expect(names(again)).toEqual(names(batches));
  await stores.close();
});

test("positions start at the time at which the database was made, above those of an older one", async () => {
  const madeAt = Date.now();
  const { batches } = await writtenDatabase();
  expect(batches[0]?.position).toBeGreaterThan(madeAt - 10);
  expect(batches[0]?.position).toBeLessThan(Date.now() + 10);
});
