import { createGuardian, type Guardian } from "@sheepdog/guardian";
import { openDatabase } from "@sheepdog/records";
import { expect, test } from "vitest";
import { claimLease } from "../../../test/sample-runs.ts";
import type { Checkpoint, Stores } from "../stores.ts";
import { rebuildDatabase } from "./rebuild.ts";
import { sqliteStores } from "./sqlite-stores.ts";
import { freshFolder } from "./testing/fresh-folder.ts";

const inFolder = freshFolder();

/** The checkpoint after the next turn. */
function nextCheckpoint(guardian: Guardian): Checkpoint {
  const turn = guardian.snapshot().turn + 1;
  guardian.beforeCall({ id: `call_${turn}`, tool: "read", args: { path: `file ${turn}` } });
  guardian.afterCall(`call_${turn}`, { status: "ok", content: `result ${turn}` });
  guardian.endTurn();
  const total = { input: turn, cacheRead: 0, cacheWrite: 0, output: 1, isEstimated: false };
  return {
    runId: "run_1",
    turn,
    guardian: guardian.snapshot(),
    total,
    costNanoUsd: turn,
    recoveries: { maxTokens: 0, emptyReply: 0 },
  };
}

async function savedCheckpoint(stores: Stores): Promise<unknown> {
  return (await stores.sessions.load("ses_1")).checkpoint;
}

/** The first column of the first row. */
async function queryValue(path: string, sql: string): Promise<unknown> {
  const database = await openDatabase(path, { isReadOnly: true });
  const row = database.prepare(sql).get();
  database.close();
  return Object.values(row as object)[0];
}

test("after every turn the newest checkpoint is loaded, and a session has one small row", async () => {
  const path = inFolder("x.db");
  const stores = await sqliteStores({ path });
  const lease = await claimLease(stores, "ses_1", 0);
  const guardian = createGuardian({ now: () => 0 });
  for (let turn = 1; turn <= 300; turn += 1) {
    const checkpoint = nextCheckpoint(guardian);
    await stores.sessions.commit(lease, { at: turn, checkpoint });
    expect(await savedCheckpoint(stores)).toEqual(JSON.parse(JSON.stringify(checkpoint)));
  }
  await stores.close();
  expect(await queryValue(path, "SELECT count(*) FROM checkpoints")).toBe(1);
  expect(await queryValue(path, "SELECT octet_length(json) FROM checkpoints")).toBeLessThan(65_536);
});

test("two connections that write in turn both load the newest checkpoint", async () => {
  const path = inFolder("x.db");
  const [one, other] = [await sqliteStores({ path }), await sqliteStores({ path })];
  const lease = await claimLease(one, "ses_1", 0);
  const guardian = createGuardian({ now: () => 0 });
  for (let turn = 0; turn < 50; turn += 1) nextCheckpoint(guardian); // its lists are full
  for (const stores of [one, one, other, one, other, other, one, one]) {
    const checkpoint = nextCheckpoint(guardian);
    await stores.sessions.commit(lease, { at: 1, checkpoint });
    for (const reader of [one, other])
      expect(await savedCheckpoint(reader)).toEqual(JSON.parse(JSON.stringify(checkpoint)));
  }
  await one.close();
  await other.close();
});

test("of a commit that fails and two that run at the same time, the checkpoint of the last one stays", async () => {
  const stores = await sqliteStores({ path: inFolder("x.db") });
  const lease = await claimLease(stores, "ses_1", 0);
  const guardian = createGuardian({ now: () => 0 });
  const maxCost = {
    id: "req_1",
    sessionId: "ses_1",
    runId: "run_1",
    model: "m",
    at: 1,
    usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, isEstimated: false },
    costNanoUsd: Number.MAX_SAFE_INTEGER,
  };
  await stores.sessions.commit(lease, { at: 1, costs: [{ ...maxCost, id: "req_0" }] });
  for (let round = 0; round < 30; round += 1) {
    const failing = stores.sessions.commit(lease, { at: 1, checkpoint: nextCheckpoint(guardian), costs: [maxCost] });
    const [first, last] = [nextCheckpoint(guardian), nextCheckpoint(guardian)];
    const both = [first, last].map((checkpoint) => stores.sessions.commit(lease, { at: 1, checkpoint }));
    await expect(failing).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT" }); // more than a balance can hold
    await Promise.all(both);
    expect(await savedCheckpoint(stores)).toEqual(JSON.parse(JSON.stringify(last)));
  }
  await stores.close();
});

test("a checkpoint that is not JSON is refused, and is no damage of the database", async () => {
  const path = inFolder("x.db");
  const stores = await sqliteStores({ path });
  await stores.sessions.commit(await claimLease(stores, "ses_1", 0), {
    at: 1,
    checkpoint: nextCheckpoint(createGuardian({ now: () => 0 })),
  });
  await stores.close();
  const database = await openDatabase(path);
  database.exec("UPDATE checkpoints SET json = substr(json, 2)");
  database.close();
  expect(await rebuildDatabase({ path })).toBeUndefined();
  const again = await sqliteStores({ path });
  await expect(savedCheckpoint(again)).rejects.toThrow("a checkpoint that this program did not write");
  await again.close();
});
