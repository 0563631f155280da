import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { openDatabase, type SqliteDatabase } from "@sheepdog/records";
import { expect, test } from "vitest";
import { freshFolder } from "./testing/fresh-folder.ts";
import { readWriteAheadLog } from "./write-ahead-log.ts";

const inFolder = freshFolder();

/** A database whose log is never emptied, with a small cache: a long transaction writes before it ends. */
async function openLogged(name: string): Promise<SqliteDatabase> {
  const database = await openDatabase(inFolder(name));
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = 10;
     CREATE TABLE IF NOT EXISTS t (x TEXT)`,
  );
  return database;
}

const insert = (database: SqliteDatabase, text: string) => void database.prepare("INSERT INTO t VALUES (?)").run(text);
const read = (name: string) => readWriteAheadLog(inFolder(`${name}-wal`));
const sizeOf = (name: string) => readFileSync(inFolder(`${name}-wal`)).length;

test("the remains of a long rolled-back transaction are not damage", async () => {
  const database = await openLogged("x.db");
  database.exec("BEGIN");
  for (let n = 0; n < 100; n += 1) insert(database, "x".repeat(8_000));
  database.exec("ROLLBACK");
  const before = sizeOf("x.db");
  insert(database, "short");
  expect([sizeOf("x.db"), read("x.db")?.damage]).toEqual([before, undefined]);
  expect(read("x.db")?.frames.every(({ isSound }) => isSound)).toBe(true);
  database.close();
});

test("a last transaction that did not reach the disk is not damage, but an earlier one is", async () => {
  const database = await openLogged("x.db");
  for (const text of ["one", "two", "three", "four"]) insert(database, text);
  for (const suffix of ["-wal", "-shm"]) copyFileSync(inFolder(`x.db${suffix}`), inFolder(`y.db${suffix}`));
  database.close();
  const log = readFileSync(inFolder("y.db-wal"));
  const frames = read("y.db")?.frames.length ?? 0;
  const withZerosIn = (frame: number, from = 24) => {
    const bytes = Buffer.from(log);
    const size = (bytes.length - 32) / frames;
    bytes.fill(0, 32 + (frame - 1) * size + from, 32 + frame * size);
    writeFileSync(inFolder("y.db-wal"), bytes);
    return read("y.db");
  };
  expect(withZerosIn(frames)).toMatchObject({ frames: { length: frames - 1 } });
  expect(withZerosIn(frames)?.damage).toBeUndefined();
  for (const from of [24, 0])
    expect(withZerosIn(frames - 2, from)?.damage).toBe(`frame ${frames - 2} of its write-ahead log is damaged`);
});

test("an unseen transaction of a process that was killed during a sync is not damage", async () => {
  const killed = await openLogged("x.db");
  insert(killed, "before");
  for (const suffix of ["", "-wal"]) copyFileSync(inFolder(`x.db${suffix}`), inFolder(`y.db${suffix}`));
  insert(killed, "x".repeat(50_000));
  const unseen = readFileSync(inFolder("x.db-wal"));
  killed.close();
  const other = await openLogged("y.db"); // overwrites the transaction of the killed process
  insert(other, "after");
  const seen = readFileSync(inFolder("y.db-wal"));
  copyFileSync(inFolder("y.db-shm"), inFolder("z.db-shm"));
  writeFileSync(inFolder("z.db-wal"), Buffer.concat([seen, unseen.subarray(seen.length)]));
  expect(read("z.db")).toEqual(read("y.db"));
  expect(read("z.db")?.damage).toBeUndefined();
  rmSync(inFolder("z.db-shm")); // without the index it looks like damage
  expect(read("z.db")?.damage).toMatch(/^frame \d+ of its write-ahead log is damaged$/);
  other.close();
});
