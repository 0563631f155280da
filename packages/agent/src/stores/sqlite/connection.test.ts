import type { SqliteDatabase } from "@sheepdog/records";
import { expect, test } from "vitest";
import { createConnections, Health } from "./connection.ts";

/** A database whose statements throw what they are told to, and that writes down what it is asked for. */
function failing(failures: Readonly<Record<string, number>>) {
  const asked: string[] = [];
  const ask = (sql: string) => {
    asked.push(sql);
    const errcode = failures[sql];
    if (errcode !== undefined) throw Object.assign(new Error("as SQLite says it"), { errcode });
    return { changes: 0, lastInsertRowid: 0 };
  };
  const prepare = (sql: string) => ({
    run: () => ask(sql),
    get: () => ask(sql),
    all: () => [ask(sql)],
    iterate: () => [ask(sql)],
  });
  const database: SqliteDatabase = { exec: ask, prepare, close: () => undefined };
  const health = new Health({ path: "/x.db" }, { check: () => undefined });
  const { safe: connection, light } = createConnections(database, health);
  return { asked, connection, light };
}

test("where nobody waits a transaction is done at once", async () => {
  const { asked, connection } = failing({});
  const written = connection.write(() => "done");
  expect(asked).toEqual(["BEGIN IMMEDIATE", "COMMIT"]);
  expect(await written).toBe("done");
});

test("one that comes while another waits for a lock is done after it", async () => {
  const failures: Record<string, number> = { "BEGIN IMMEDIATE": 5 };
  const { connection } = failing(failures);
  const done: string[] = [];
  const first = connection.write(() => done.push("first"));
  delete failures["BEGIN IMMEDIATE"];
  await connection.write(() => done.push("second"));
  expect(done).toEqual(["first", "second"]);
  await first;
});

test("a disk that is full is told, and the next commit may succeed", async () => {
  const failures: Record<string, number> = { COMMIT: 13 };
  const { asked, connection } = failing(failures);
  await expect(connection.write(() => undefined)).rejects.toMatchObject({
    code: "SQLITE_FULL",
    message: expect.stringMatching(/\/x\.db.*disk is full/),
  });
  expect(asked).toEqual(["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"]);
  delete failures["COMMIT"];
  expect(await connection.write(() => "done")).toBe("done");
});

test("after a sync that failed nothing is written any more", async () => {
  const failures: Record<string, number> = { COMMIT: 1_034 }; // SQLITE_IOERR_FSYNC
  const { asked, connection } = failing(failures);
  await expect(connection.write(() => undefined)).rejects.toMatchObject({ code: "SQLITE_IOERR" });
  delete failures["COMMIT"];
  asked.length = 0;
  await expect(connection.write(() => undefined)).rejects.toThrow(/failed before.*restart/);
  expect(asked).toEqual([]);
});

test("damage that is met while working is told as damage", async () => {
  const { connection } = failing({ COMMIT: 267 }); // SQLITE_CORRUPT_VTAB
  await expect(connection.write(() => undefined)).rejects.toMatchObject({
    name: "DamagedDatabaseError",
    path: "/x.db",
  });
});

test("an error of the work itself is passed on as it is, and undoes what was done", async () => {
  const { asked, connection } = failing({});
  const error = new Error("mine");
  await expect(
    connection.write(() => {
      throw error;
    }),
  ).rejects.toBe(error);
  expect(asked).toEqual(["BEGIN IMMEDIATE", "ROLLBACK"]);
});

test("a light transaction goes back to syncing, whatever became of it", async () => {
  for (const failures of [{}, { COMMIT: 13 }, { "BEGIN IMMEDIATE": 8 }, { "PRAGMA synchronous = NORMAL": 1 }]) {
    const { asked, light } = failing(failures);
    await light.write(() => undefined).catch(() => undefined);
    expect([asked[0], asked.at(-1)]).toEqual(["PRAGMA synchronous = NORMAL", "PRAGMA synchronous = FULL"]);
  }
});

test("where that cannot be done, what was committed is not done again, and no safe transaction is begun", async () => {
  for (const errcode of [1, 261]) {
    // SQLITE_ERROR, SQLITE_BUSY_RECOVERY
    const failures: Record<string, number> = { "PRAGMA synchronous = FULL": errcode };
    const { asked, connection, light } = failing(failures);
    let done = 0;
    expect(await light.write(() => (done += 1))).toBe(1);
    failures["PRAGMA synchronous = FULL"] = 1;
    asked.length = 0;
    await expect(connection.write(() => undefined)).rejects.toThrow("as SQLite says it");
    expect(asked).not.toContain("BEGIN IMMEDIATE");
    delete failures["PRAGMA synchronous = FULL"];
    asked.length = 0;
    expect(await connection.write(() => "done")).toBe("done");
    expect(asked.slice(0, 2)).toEqual(["PRAGMA synchronous = FULL", "BEGIN IMMEDIATE"]);
  }
});
