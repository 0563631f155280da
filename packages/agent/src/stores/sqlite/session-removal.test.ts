import { readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { claimLease } from "../../../test/sample-runs.ts";
import { openSqlite } from "./open-sqlite.ts";
import { rebuildDatabase } from "./rebuild.ts";
import { sqliteSessions } from "./sqlite-sessions.ts";
import { sqliteStores } from "./sqlite-stores.ts";
import { freshFolder } from "./testing/fresh-folder.ts";

const inFolder = freshFolder();
const userMessage = (text: string) => ({ role: "user", id: "1", at: 1, origin: "person", text }) as const;

/** Stores with a released session of `count` messages. */
async function withMessages(count: number, text: string) {
  const stores = await sqliteStores({ path: inFolder("x.db") });
  const lease = await claimLease(stores, "ses_1", 0);
  await stores.sessions.commit(lease, { at: 1, messages: Array.from({ length: count }, () => userMessage(text)) });
  await stores.sessions.release(lease);
  return stores;
}

test("removed text is overwritten in the file, however long it was", async () => {
  const stores = await withMessages(3, `BEGIN-${"x".repeat(20_000)}-END`);
  await stores.sessions.remove("ses_1", 2);
  await stores.close();
  const bytes = readFileSync(inFolder("x.db"), "latin1");
  expect(["BEGIN-", "xxxx", "-END"].map((text) => bytes.includes(text))).toEqual([false, false, false]);
});

test("the file gets smaller after a removal", async () => {
  const stores = await withMessages(3_000, "x".repeat(3_000));
  await stores.close();
  const before = statSync(inFolder("x.db")).size;
  const again = await sqliteStores({ path: inFolder("x.db") });
  await again.sessions.remove("ses_1", 2);
  await again.close();
  expect(before).toBeGreaterThan(8_000_000);
  expect(statSync(inFolder("x.db")).size).toBeLessThan(1_000_000);
  expect(await rebuildDatabase({ path: inFolder("x.db") })).toBeUndefined();
});

test("a long session disappears with the first step, and its rows are deleted in steps", async () => {
  const stores = await withMessages(3_000, "text");
  const observed: number[] = [];
  let isDone = false;
  const observe = async () => {
    if (isDone) return;
    observed.push((await stores.sessions.load("ses_1")).messages.length);
    setImmediate(observe);
  };
  setImmediate(observe);
  await stores.sessions.remove("ses_1", 2);
  isDone = true;
  expect(observed.length).toBeGreaterThan(3);
  expect(new Set(observed.slice(1))).toEqual(new Set([0]));
  await stores.close();
});

test("rows that a killed process left go with the next removal, and never belong to a new session", async () => {
  const stores = await withMessages(2_000, "text");
  await stores.close();
  const sqlite = await openSqlite({ path: inFolder("x.db") });
  const count = (from: string) =>
    (sqlite.safe.database.prepare(`SELECT count(*) AS rows FROM ${from}`).get() as { readonly rows: number }).rows;
  const killed = sqliteSessions({
    ...sqlite,
    light: { ...sqlite.light, write: async () => Promise.reject(new Error("Killed.")) },
  });
  await killed.remove("ses_1", 2);
  expect([count("sessions"), count("messages"), count("removals")]).toEqual([0, 1_500, 1]);
  expect(await rebuildDatabase({ path: inFolder("x.db") })).toBeUndefined();
  const sessions = sqliteSessions(sqlite);
  const claim = await sessions.claim("ses_1", { id: "proc", pid: 1, host: "x" }, 3);
  if (!claim.ok) throw new Error("Expected a free session.");
  await sessions.commit(claim.lease, { at: 3, messages: [userMessage("new")] });
  expect((await sessions.load("ses_1")).messages).toEqual([userMessage("new")]);
  await sessions.remove("ses_none", 4);
  expect([count("sessions"), count("messages"), count("removals")]).toEqual([1, 1, 0]);
  await sqlite.close();
});
