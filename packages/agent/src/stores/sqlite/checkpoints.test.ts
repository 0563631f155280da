import { createGuardian, type Guardian } from "@sheepdog/guardian";
import { openDatabase } from "@sheepdog/records";
import { expect, test } from "vitest";
import { thisProcess } from "../holder.ts";
import type { Checkpoint, Lease, Stores } from "../stores.ts";
import { findDamage } from "./damage-check.ts";
import { openOrRebuild } from "./open-or-rebuild.ts";
import { sqliteStores } from "./sqlite-stores.ts";
import { freshFolder } from "./testing/fresh-folder.ts";

const inFolder = freshFolder();

async function leaseOf(stores: Stores, sessionId: string): Promise<Lease> {
  const claim = await stores.sessions.claim(sessionId, thisProcess(), 0);
  if (!claim.ok) throw new Error("Expected a session nobody has.");
  return claim.lease;
}

/** The checkpoint after the next turn. */
function nextTurn(guardian: Guardian): Checkpoint {
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
    recoveries: { length: 0, empty: 0 },
  };
}

async function loaded(stores: Stores): Promise<unknown> {
  return (await stores.sessions.load("ses_1")).checkpoint;
}

/** The first column of the first row. */
async function ask(path: string, sql: string): Promise<unknown> {
  const database = await openDatabase(path, { isReadOnly: true });
  const row = database.prepare(sql).get();
  database.close();
  return Object.values(row as object)[0];
}

test("of every turn the newest is loaded, and a whole one is written now and then", async () => {
  const path = inFolder("x.db");
  const stores = await sqliteStores({ path });
  const lease = await leaseOf(stores, "ses_1");
  const guardian = createGuardian({ now: () => 0 });
  for (let turn = 1; turn <= 300; turn += 1) {
    const checkpoint = nextTurn(guardian);
    await stores.sessions.commit(lease, { at: turn, checkpoint });
    expect(await loaded(stores)).toEqual(JSON.parse(JSON.stringify(checkpoint)));
  }
  await stores.close();
  expect(await ask(path, "SELECT count(*) FROM checkpoints JOIN checkpoint_changes USING (session, n)")).toBe(1);
  expect(await ask(path, "SELECT n FROM checkpoints")).toBeLessThan(60);
  expect(await ask(path, "SELECT max(octet_length(json)) FROM checkpoint_changes")).toBeLessThan(10_000);
});

test("one who writes after another has does not go by the whole one that was its own", async () => {
  const path = inFolder("x.db");
  const [one, other] = [await sqliteStores({ path }), await sqliteStores({ path })];
  const lease = await leaseOf(one, "ses_1");
  const guardian = createGuardian({ now: () => 0 });
  for (let turn = 0; turn < 50; turn += 1) nextTurn(guardian); // its lists are full: what is the third now is the second then
  for (const stores of [one, one, other, one, other, other, one, one]) {
    const checkpoint = nextTurn(guardian);
    await stores.sessions.commit(lease, { at: 1, checkpoint });
    expect(await loaded(one)).toEqual(JSON.parse(JSON.stringify(checkpoint)));
  }
  await one.close();
  await other.close();
});

test("commits that fail, and commits that are asked for at once, leave one that fits together", async () => {
  const stores = await sqliteStores({ path: inFolder("x.db") });
  const lease = await leaseOf(stores, "ses_1");
  const guardian = createGuardian({ now: () => 0 });
  const price = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, isEstimated: false };
  const tooMuch = {
    id: "req_1",
    sessionId: "ses_1",
    runId: "run_1",
    model: "m",
    at: 1,
    usage: price,
    costNanoUsd: Number.MAX_SAFE_INTEGER,
  };
  await stores.sessions.commit(lease, { at: 1, costs: [{ ...tooMuch, id: "req_0" }] });
  for (let round = 0; round < 30; round += 1) {
    const failing = stores.sessions.commit(lease, { at: 1, checkpoint: nextTurn(guardian), costs: [tooMuch] }); // more than the books can hold
    const [first, last] = [nextTurn(guardian), nextTurn(guardian)];
    const both = [first, last].map((checkpoint) => stores.sessions.commit(lease, { at: 1, checkpoint }));
    await expect(failing).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT" });
    await Promise.all(both);
    expect(await loaded(stores)).toEqual(JSON.parse(JSON.stringify(last)));
  }
  await stores.close();
});

test("a commit beside it does not make the newest whole one forgotten", async () => {
  const path = inFolder("x.db");
  const stores = await sqliteStores({ path });
  const lease = await leaseOf(stores, "ses_1");
  const guardian = createGuardian({ now: () => 0 });
  for (let round = 0; round < 60; round += 1) {
    const unansweredCalls = [{ callId: `call_${round}`, tool: "read", state: "awaiting-approval" }] as const;
    await Promise.all([
      stores.sessions.commit(lease, { at: 1, checkpoint: nextTurn(guardian) }),
      stores.sessions.commit(lease, { at: 1, unansweredCalls }),
    ]);
  }
  await stores.close();
  expect(await ask(path, "SELECT n FROM checkpoints")).toBeLessThan(15);
});

test.each([
  ["the whole one", "DELETE FROM checkpoints WHERE session = 1"],
  ["what has changed", "DELETE FROM checkpoint_changes WHERE session = 1"],
  ["their number", "UPDATE checkpoint_changes SET n = n + 1 WHERE session = 1"],
])("without %s there is none: the rebuild says so, and nothing else is lost", async (_, sql) => {
  const path = inFolder("x.db");
  const stores = await sqliteStores({ path });
  const guardian = createGuardian({ now: () => 0 });
  const lease = await leaseOf(stores, "ses_1");
  for (let turn = 0; turn < 3; turn += 1)
    await stores.sessions.commit(lease, { at: 1, checkpoint: nextTurn(guardian) });
  const kept = nextTurn(createGuardian({ now: () => 0 }));
  await stores.sessions.commit(await leaseOf(stores, "ses_2"), { at: 1, checkpoint: kept });
  await stores.close();
  const database = await openDatabase(path);
  database.exec(`${sql}; PRAGMA wal_checkpoint(TRUNCATE)`);
  database.close();

  expect(await findDamage({ path })).toBe("session ses_1 does not have the rows it should have");
  const { stores: rebuilt, rebuilt: report } = await openOrRebuild({ path });
  expect(report?.lost).toEqual(["what the guardian knew of session ses_1: a part of its checkpoint is missing"]);
  expect([await loaded(rebuilt), (await rebuilt.sessions.load("ses_2")).checkpoint]).toEqual([
    undefined,
    JSON.parse(JSON.stringify(kept)),
  ]);
  await rebuilt.close();
  expect(await findDamage({ path })).toBeUndefined();
});
