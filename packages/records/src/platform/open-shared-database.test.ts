import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../test/fixtures/databases/create-database.ts";
import { describeReadFailure } from "../readers/read-failure.ts";
import { openSharedDatabase, peekTables, tableNames } from "./open-shared-database.ts";
import { openDatabase, type SqliteDatabase } from "./sqlite.ts";

/** A database with one row in the file and one more that is only in the log, held open by its program. */
async function liveDatabase(folder = temporaryFolder()): Promise<{ path: string; writer: SqliteDatabase }> {
  const path = join(folder, "live.db");
  const writer = await openDatabase(path);
  writer.exec(
    "PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1); PRAGMA wal_checkpoint(TRUNCATE)",
  );
  writer.exec("INSERT INTO t VALUES (2)");
  onTestFinished(() => writer.close());
  return { path, writer };
}

async function rowsIn(path: string): Promise<unknown> {
  const shared = await openSharedDatabase(path);
  try {
    return shared.database.prepare("SELECT x FROM t ORDER BY x").all();
  } finally {
    await shared.close();
  }
}

async function whyNot(path: string): Promise<string> {
  try {
    await rowsIn(path);
    return "it was read";
  } catch (error) {
    return describeReadFailure(error).why;
  }
}

/** Every file of a folder with its digest. */
function contents(folder: string): Record<string, string> {
  const digest = (name: string) =>
    createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
  return Object.fromEntries(readdirSync(folder).map((name) => [name, digest(name)]));
}

const privateCopies = () => readdirSync(tmpdir()).filter((name) => name.startsWith("sheepdog-read-"));
const both = [{ x: 1 }, { x: 2 }];

test("a database that its program is writing to is read with its log, and no file changes", async () => {
  const folder = temporaryFolder();
  const { path, writer } = await liveDatabase(folder);
  writer.exec("BEGIN IMMEDIATE; INSERT INTO t VALUES (3)");
  const before = contents(folder);
  expect(await rowsIn(path)).toEqual(both);
  expect(contents(folder)).toEqual(before);
  expect(Object.keys(before)).toEqual(["live.db", "live.db-shm", "live.db-wal"]);
});

test("a database whose program is closed is read, and no -wal or -shm file appears beside it", async () => {
  const folder = temporaryFolder();
  const { path } = await liveDatabase(temporaryFolder());
  copyFileSync(path, join(folder, "closed.db"));
  const before = contents(folder);
  expect(await rowsIn(join(folder, "closed.db"))).toEqual([{ x: 1 }]);
  expect(contents(folder)).toEqual(before);
});

test("a database whose program crashed is read with its log, from a private copy that is deleted", async () => {
  const folder = temporaryFolder();
  const { path } = await liveDatabase(temporaryFolder());
  for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, join(folder, `crashed.db${suffix}`));
  const before = contents(folder);
  const copies = privateCopies();
  expect(await rowsIn(join(folder, "crashed.db"))).toEqual(both);
  expect(contents(folder)).toEqual(before);
  expect(privateCopies()).toEqual(copies);
});

test("a link to a database is read with the log that lies beside the database", async () => {
  const { path } = await liveDatabase();
  const link = join(temporaryFolder(), "link.db");
  symlinkSync(path, link);
  expect(await rowsIn(link)).toEqual(both);
});

test("a database in a folder that cannot be written to is read", async () => {
  const folder = join(temporaryFolder(), "read-only");
  mkdirSync(folder);
  const { path } = await liveDatabase(temporaryFolder());
  for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, join(folder, `x.db${suffix}`));
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o400);
  chmodSync(folder, 0o500);
  onTestFinished(() => chmodSync(folder, 0o700));
  expect(await rowsIn(join(folder, "x.db"))).toEqual(both);
});

test("a database that another program has locked is refused with a sentence", async () => {
  const path = join(temporaryFolder(), "locked.db");
  const writer = await openDatabase(path);
  onTestFinished(() => writer.close());
  writer.exec("CREATE TABLE t (x); INSERT INTO t VALUES (1); BEGIN EXCLUSIVE");
  expect(await whyNot(path)).toBe(
    "another program has locked this database; close that program, or try again when it is idle",
  );
});

test("a transaction that a crash left unfinished is rolled back in a private copy only", async () => {
  const source = temporaryFolder();
  const folder = temporaryFolder();
  const writer = await openDatabase(join(source, "x.db"));
  writer.exec("PRAGMA cache_size = 1; CREATE TABLE t (x); INSERT INTO t VALUES (1)");
  writer.exec("BEGIN; CREATE TABLE filler (y)");
  const fill = writer.prepare("INSERT INTO filler VALUES (?)");
  for (let row = 0; row < 50; row++) fill.run("x".repeat(4_000));
  for (const suffix of ["", "-journal"]) copyFileSync(join(source, `x.db${suffix}`), join(folder, `x.db${suffix}`));
  writer.close();
  const before = contents(folder);
  expect(Object.keys(before)).toEqual(["x.db", "x.db-journal"]);
  expect(await rowsIn(join(folder, "x.db"))).toEqual([{ x: 1 }]);
  expect(contents(folder)).toEqual(before);
});

/** The journal of an unfinished change of two databases, as SQLite writes it: it names a super-journal at its end. */
function journalNaming(superJournal: string): Buffer {
  const magic = Buffer.from("d9d505f920a163d7", "hex");
  const numbers = (...values: readonly number[]) => Buffer.from(Uint32Array.from(values).buffer).swap32();
  const name = Buffer.from(superJournal);
  const checksum = name.reduce((sum, byte) => sum + byte, 0);
  const header = Buffer.concat([magic, numbers(0, 1234, 1, 512, 4096)]);
  const end = [numbers(0x40000000 / 4096 + 1), name, numbers(name.length, checksum), magic];
  return Buffer.concat([header, Buffer.alloc(512 - header.length), ...end]);
}

test.each(["DELETE", "WAL"])("a journal that names another file does not delete that file (%s)", async (mode) => {
  const folder = temporaryFolder();
  const path = join(folder, "x.db");
  const writer = await openDatabase(path);
  writer.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE t (x); INSERT INTO t VALUES (1)`);
  if (mode === "WAL") for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, join(folder, `w.db${suffix}`));
  writer.close();
  const target = mode === "WAL" ? join(folder, "w.db") : path;
  const precious = join(folder, "precious.txt");
  writeFileSync(precious, "mine");
  writeFileSync(`${target}-journal`, journalNaming(precious));
  const before = contents(folder);
  const copies = privateCopies();
  expect(await whyNot(target)).toBe(
    "a change of several databases was not finished; open it once with the program that wrote it",
  );
  expect(contents(folder)).toEqual(before);
  expect(privateCopies()).toEqual(copies);
});

test.skipIf(process.platform === "win32").each(["-journal", "-wal", "-shm"])(
  "a pipe that is named like the %s of a database is refused instead of waited for",
  async (suffix) => {
    const path = join(temporaryFolder(), "x.db");
    const writer = await openDatabase(path);
    writer.exec("CREATE TABLE t (x)");
    writer.close();
    execFileSync("mkfifo", [path + suffix]);
    expect(await whyNot(path)).toBe("a file beside it (-journal, -wal or -shm) is no ordinary file; remove that file");
  },
);

test.skipIf(process.platform === "win32")("the private copy is gone while the database is still read", async () => {
  const { path } = await liveDatabase();
  const copies = privateCopies();
  const shared = await openSharedDatabase(path);
  onTestFinished(() => shared.close());
  expect(privateCopies()).toEqual(copies);
  expect(shared.database.prepare("SELECT x FROM t ORDER BY x").all()).toEqual(both);
});

test("only tables that hold what was written into them are tables", async () => {
  const database = await openDatabase(":memory:");
  database.exec(`
    CREATE TABLE t (x);
    CREATE TABLE computed (x, y GENERATED ALWAYS AS (length(printf('%.*c', 100000000, 'x'))) VIRTUAL);
    CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n;
    CREATE VIRTUAL TABLE search USING fts5(x)`);
  const names = tableNames(database);
  expect([...names].filter((name) => !name.startsWith("search_"))).toEqual(["t"]);
  database.close();
});

test("a damaged database and a file that only begins like one are refused with a sentence", async () => {
  const folder = temporaryFolder();
  const { path } = await liveDatabase(temporaryFolder());
  const cut = join(folder, "cut.db");
  copyFileSync(path, cut);
  truncateSync(cut, 4_096);
  const fake = join(folder, "fake.db");
  writeFileSync(fake, `SQLite format 3\0${"nonsense".repeat(1_000)}`);
  const damaged = "this SQLite database is damaged; what could be read of it was read";
  expect([await whyNot(cut), await whyNot(fake)]).toEqual([damaged, damaged]);
  expect(await whyNot(join(folder, "none.db"))).toBe("there is no such file or directory");
});

test("a look at the tables changes nothing, and a file without tables is not refused", async () => {
  const folder = temporaryFolder();
  const { path } = await liveDatabase(temporaryFolder());
  copyFileSync(path, join(folder, "x.db"));
  writeFileSync(join(folder, "fake.db"), "no database at all");
  const before = contents(folder);
  expect(await peekTables(join(folder, "x.db"))).toEqual(new Set(["t"]));
  expect(await peekTables(join(folder, "fake.db"))).toBeUndefined();
  expect(contents(folder)).toEqual(before);
});

test("a database that changes while it is read without locks says so", async () => {
  const { path, writer } = await liveDatabase();
  writer.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const shared = await openSharedDatabase(path);
  onTestFinished(() => shared.close());
  expect(await shared.wasChanged()).toBe(false);
  writer.exec("INSERT INTO t VALUES (3); PRAGMA wal_checkpoint(TRUNCATE)");
  expect(await shared.wasChanged()).toBe(true);
});
