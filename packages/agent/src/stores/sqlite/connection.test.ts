import { setTimeout as pause } from "node:timers/promises";
import type { SqliteDatabase } from "@sheepdog/records";
import { expect, test } from "vitest";
import { createConnections } from "./connection.ts";

/** A database whose statements fail with the given SQLite codes, and that records the executed SQL. */
function failingDatabase(failures: Readonly<Record<string, number>>) {
  const executed: string[] = [];
  const execute = (sql: string) => {
    executed.push(sql);
    const errcode = failures[sql];
    if (errcode !== undefined) throw Object.assign(new Error("SQLite's message"), { errcode });
    return { changes: 0, lastInsertRowid: 0 };
  };
  const prepare = (sql: string) => ({
    run: () => execute(sql),
    get: () => execute(sql),
    all: () => [execute(sql)],
    iterate: () => [execute(sql)],
  });
  const database: SqliteDatabase = { exec: execute, prepare, close: () => undefined };
  const { safe, light } = createConnections(database, { path: "/x.db", checkFile: () => undefined });
  return { executed, safe, light };
}

test("a write is one transaction that takes the lock at its beginning", async () => {
  const { executed, safe } = failingDatabase({});
  expect(await safe.write(() => "done")).toBe("done");
  expect(executed).toEqual(["BEGIN IMMEDIATE", "COMMIT"]);
});

test("a write that comes while another one waits for a lock runs after it", async () => {
  const failures: Record<string, number> = { "BEGIN IMMEDIATE": 5 };
  const { safe } = failingDatabase(failures);
  const done: string[] = [];
  const first = safe.write(() => done.push("first"));
  await pause(1);
  delete failures["BEGIN IMMEDIATE"];
  await safe.write(() => done.push("second"));
  expect(done).toEqual(["first", "second"]);
  await first;
});

test("a full disk is reported, and the next commit may succeed", async () => {
  const failures: Record<string, number> = { COMMIT: 13 };
  const { executed, safe } = failingDatabase(failures);
  await expect(safe.write(() => undefined)).rejects.toMatchObject({
    code: "SQLITE_FULL",
    message: expect.stringMatching(/\/x\.db.*disk is full/),
  });
  expect(executed).toEqual(["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"]);
  delete failures["COMMIT"];
  expect(await safe.write(() => "done")).toBe("done");
});

test("after a failed sync nothing is written any more", async () => {
  const failures: Record<string, number> = { COMMIT: 1_034 }; // SQLITE_IOERR_FSYNC
  const { executed, safe } = failingDatabase(failures);
  await expect(safe.write(() => undefined)).rejects.toMatchObject({ code: "SQLITE_IOERR" });
  delete failures["COMMIT"];
  executed.length = 0;
  await expect(safe.write(() => undefined)).rejects.toThrow(/failed before.*restart/);
  expect(executed).toEqual([]);
});

test("damage that a transaction finds is reported as damage", async () => {
  const { safe } = failingDatabase({ COMMIT: 267 }); // SQLITE_CORRUPT_VTAB
  await expect(safe.write(() => undefined)).rejects.toMatchObject({
    name: "DamagedDatabaseError",
    path: "/x.db",
  });
});

test("an error of the work itself is passed on unchanged, and rolls back", async () => {
  const { executed, safe } = failingDatabase({});
  const error = new Error("mine");
  await expect(
    safe.write(() => {
      throw error;
    }),
  ).rejects.toBe(error);
  expect(executed).toEqual(["BEGIN IMMEDIATE", "ROLLBACK"]);
});

test("after a light transaction the connection syncs again, even when the transaction failed", async () => {
  for (const failures of [{}, { COMMIT: 13 }, { "BEGIN IMMEDIATE": 8 }, { "PRAGMA synchronous = NORMAL": 1 }]) {
    const { executed, light } = failingDatabase(failures);
    await light.write(() => undefined).catch(() => undefined);
    expect([executed[0], executed.at(-1)]).toEqual(["PRAGMA synchronous = NORMAL", "PRAGMA synchronous = FULL"]);
  }
});

test("when syncing cannot be restored, the light commit is not repeated and no safe transaction begins", async () => {
  for (const errcode of [1, 261]) {
    // SQLITE_ERROR, SQLITE_BUSY_RECOVERY
    const failures: Record<string, number> = { "PRAGMA synchronous = FULL": errcode };
    const { executed, safe, light } = failingDatabase(failures);
    let done = 0;
    expect(await light.write(() => (done += 1))).toBe(1);
    failures["PRAGMA synchronous = FULL"] = 1;
    executed.length = 0;
    await expect(safe.write(() => undefined)).rejects.toThrow("SQLite's message");
    expect(executed).not.toContain("BEGIN IMMEDIATE");
    delete failures["PRAGMA synchronous = FULL"];
    executed.length = 0;
    expect(await safe.write(() => "done")).toBe("done");
    expect(executed.slice(0, 2)).toEqual(["PRAGMA synchronous = FULL", "BEGIN IMMEDIATE"]);
  }
});
