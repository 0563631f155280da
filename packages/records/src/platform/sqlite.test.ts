import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isNewEnough, openDatabase, sqliteCode } from "./sqlite.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sqlite-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("rows written by one connection are read by another, without a warning on stderr", async () => {
  const emitWarning = vi.spyOn(process, "emitWarning");
  const writer = await openDatabase(join(folder, "x.db"));
  expect(emitWarning).not.toHaveBeenCalled();
  writer.exec("CREATE TABLE t (x TEXT, n INTEGER)");
  expect(writer.prepare("INSERT INTO t VALUES (?, ?)").run("ü", 7).changes).toBe(1);
  const reader = await openDatabase(join(folder, "x.db"), { isReadOnly: true });
  expect(reader.prepare("SELECT x, n FROM t").all()).toEqual([{ x: "ü", n: 7 }]);
  expect(() => reader.exec("DELETE FROM t")).toThrow(/readonly/);
  reader.close();
  writer.close();
});

test("the SQLite in use is new enough and has full-text search", async () => {
  const database = await openDatabase(":memory:");
  const { version } = database.prepare("SELECT sqlite_version() AS version").get() as { version: string };
  expect(isNewEnough(version)).toBe(true);
  database.exec("CREATE VIRTUAL TABLE t USING fts5(x)");
  database.close();
});

test("versions are compared as numbers", () => {
  expect(["3.51.3", "3.51.10", "3.53.0", "4.0.0"].filter((version) => !isNewEnough(version))).toEqual([]);
  expect(["3.51.2", "3.9.9", "3.46.1", "2.99.99"].filter(isNewEnough)).toEqual([]);
});

test("a locked database throws at once, with SQLite's code", async () => {
  const holder = await openDatabase(join(folder, "x.db"));
  const other = await openDatabase(join(folder, "x.db"));
  holder.exec("BEGIN IMMEDIATE");
  let caught: unknown;
  try {
    other.exec("BEGIN IMMEDIATE");
  } catch (error) {
    caught = error;
  }
  expect(sqliteCode(caught)).toBe(5);
  expect(sqliteCode(new Error("another"))).toBeUndefined();
  holder.close();
  other.close();
});

test.each(["get", "all", "iterate"] as const)(
  "%s of a damaged table throws an error with SQLite's code",
  async (read) => {
    const path = join(folder, "x.db");
    const writer = await openDatabase(path);
    writer.exec("CREATE TABLE t (x TEXT)");
    writer.close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xee, 4_096));
    const database = await openDatabase(path);
    let caught: unknown;
    try {
      const rows = database.prepare("SELECT x FROM t")[read]();
      if (read === "iterate") [...(rows as Iterable<unknown>)];
    } catch (error) {
      caught = error;
    }
    expect(sqliteCode(caught)).toBe(11);
    database.close();
  },
);
