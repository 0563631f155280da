import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { openDatabase, type SqliteDatabase } from "@sheepdog/records";
import { expect, test } from "vitest";
import { freshFolder } from "./testing/fresh-folder.ts";
import { readWriteAheadLog } from "./write-ahead-log.ts";

const inFolder = freshFolder();

/** A database with a log that is never emptied, and room in memory for a few pages only: a long transaction writes before it ends. */
async function logged(name: string): Promise<SqliteDatabase> {
  const database = await openDatabase(inFolder(name));
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = 10; CREATE TABLE IF NOT EXISTS t (x TEXT)",
  );
  return database;
}

const say = (database: SqliteDatabase, text: string) => void database.prepare("INSERT INTO t VALUES (?)").run(text);
const read = (name: string) => readWriteAheadLog(inFolder(`${name}-wal`));
const sizeOf = (name: string) => readFileSync(inFolder(`${name}-wal`)).length;

test("what a long transaction left that was rolled back is no damage", async () => {
  const database = await logged("x.db");
  database.exec("BEGIN");
  for (let n = 0; n < 100; n += 1) say(database, "x".repeat(8_000));
  database.exec("ROLLBACK");
  const before = sizeOf("x.db");
  say(database, "short");
  expect([sizeOf("x.db"), read("x.db")?.damage]).toEqual([before, undefined]);
  expect(read("x.db")?.frames.every(({ isSound }) => isSound)).toBe(true);
  database.close();
});

test("a last transaction that did not reach the disk is no damage, and one in between is", async () => {
  const database = await logged("x.db");
  for (const text of ["one", "two", "three", "four"]) say(database, text);
  for (const end of ["-wal", "-shm"]) copyFileSync(inFolder(`x.db${end}`), inFolder(`y.db${end}`));
  database.close();
  const whole = readFileSync(inFolder("y.db-wal"));
  const frames = read("y.db")?.frames.length ?? 0;
  const withZerosIn = (frame: number, from = 24) => {
    const bytes = Buffer.from(whole);
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

test("a transaction that nobody saw, of a process that was killed while it synced, is no damage", async () => {
  const killed = await logged("x.db");
  say(killed, "before");
  for (const end of ["", "-wal"]) copyFileSync(inFolder(`x.db${end}`), inFolder(`y.db${end}`));
  say(killed, "x".repeat(50_000));
  const unseen = readFileSync(inFolder("x.db-wal"));
  killed.close();
  const other = await logged("y.db"); // goes on where the killed one began
  say(other, "after");
  const seen = readFileSync(inFolder("y.db-wal"));
  copyFileSync(inFolder("y.db-shm"), inFolder("z.db-shm"));
  writeFileSync(inFolder("z.db-wal"), Buffer.concat([seen, unseen.subarray(seen.length)]));
  expect(read("z.db")).toEqual(read("y.db"));
  expect(read("z.db")?.damage).toBeUndefined();
  rmSync(inFolder("z.db-shm"));
  expect(read("z.db")?.damage).toMatch(/^frame \d+ of its write-ahead log is damaged$/); // who could tell
  other.close();
});
