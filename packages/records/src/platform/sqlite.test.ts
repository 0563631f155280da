import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isNewEnough, openDatabase, sqliteCode } from "./sqlite.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sqlite-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("what is written by one connection is read by another, and nothing is said on the standard error", async () => {
  const warned = vi.spyOn(process, "emitWarning");
  const one = await openDatabase(join(folder, "x.db"));
  expect(warned).not.toHaveBeenCalled();
  one.exec("CREATE TABLE t (x TEXT, n INTEGER)");
  expect(one.prepare("INSERT INTO t VALUES (?, ?)").run("ü", 7).changes).toBe(1);
  const other = await openDatabase(join(folder, "x.db"), { isReadOnly: true });
  expect(other.prepare("SELECT x, n FROM t").all()).toEqual([{ x: "ü", n: 7 }]);
  expect(() => other.exec("DELETE FROM t")).toThrow(/readonly/);
  other.close();
  one.close();
});

test("its SQLite is new enough and can search full text", async () => {
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

test("a lock is not waited for, and its error has SQLite's code", async () => {
  const [one, other] = [await openDatabase(join(folder, "x.db")), await openDatabase(join(folder, "x.db"))];
  one.exec("BEGIN IMMEDIATE");
  let caught: unknown;
  try {
    other.exec("BEGIN IMMEDIATE");
  } catch (error) {
    caught = error;
  }
  expect(sqliteCode(caught)).toBe(5);
  expect(sqliteCode(new Error("another"))).toBeUndefined();
  one.close();
  other.close();
});
