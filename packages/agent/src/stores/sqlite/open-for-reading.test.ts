import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { openDatabase } from "@sheepdog/records";
import { expect, test } from "vitest";
import { allRows, changeDatabase, countRows, editFile, later, rebuildFixture } from "../../../test/rebuild-fixture.ts";
import { openForReading } from "./open-for-reading.ts";
import { sqliteStores } from "./sqlite-stores.ts";

const fixture = rebuildFixture();
const filesOf = () => readdirSync(fixture.folder.dir).filter((name) => !/-(?:wal|shm)$/.test(name));
const bytesOf = (path: string) => readFileSync(path).toString("base64");

test("everything is read, also what only the write-ahead log has, and nothing can be changed", async () => {
  fixture.copyCrashedDatabase();
  const before = bytesOf(`${fixture.folder.path}-wal`);
  const { stores, foreignRows } = await openForReading({ path: fixture.folder.path });
  expect([await countRows(stores), foreignRows()]).toEqual([allRows, 0]);
  await expect(stores.memory.write({ at: 1, text: "x", tags: [] })).rejects.toThrow("cannot be written to");
  await stores.close();
  expect(bytesOf(`${fixture.folder.path}-wal`)).toBe(before);
});

test("what another connection writes meanwhile is read", async () => {
  fixture.copyClosedDatabase();
  const { stores } = await openForReading({ path: fixture.folder.path });
  const writer = await sqliteStores({ path: fixture.folder.path });
  await writer.memory.write({ at: later, text: "New.", tags: [] });
  expect((await stores.memory.list()).map(({ text }) => text)).toContain("New.");
  await writer.close();
  await stores.close();
});

test("a missing database reads as empty, and is not created", async () => {
  const { stores } = await openForReading({ path: fixture.folder.path, logDir: fixture.folder.logDir });
  expect([await stores.sessions.list(), filesOf()]).toEqual([[], []]);
});

test("a missing database that has logs is not read as empty, and is not created", async () => {
  fixture.writeAllLogs();
  const before = filesOf();
  const { path, logDir } = fixture.folder;
  await expect(openForReading({ path, logDir })).rejects.toThrow(`${path} is missing, but ${logDir} shows that`);
  expect(filesOf()).toEqual(before);
});

test.each(["sessions", "sqlite_schema"])("damage in %s is said, and the file stays as it is", async (table) => {
  fixture.copyClosedDatabase();
  const { path } = fixture.folder;
  if (table === "sessions") await fixture.damageTable(table);
  else editFile(path, (bytes) => bytes.write("Not a database!", 0));
  const before = [filesOf(), bytesOf(path)];
  const list = async () => {
    const { stores } = await openForReading({ path });
    await stores.sessions.list().finally(() => stores.close());
  };
  await expect(list()).rejects.toThrow(/is damaged: .*sheepdog doctor --rebuild$/);
  expect([filesOf(), bytesOf(path)]).toEqual(before);
});

test("a missing table is damage, and another schema version is refused with what to type", async () => {
  const { path } = fixture.folder;
  fixture.copyClosedDatabase();
  await changeDatabase(path, "DROP TABLE facts");
  await expect(openForReading({ path })).rejects.toThrow(/is damaged: no such table/);
  await changeDatabase(path, "PRAGMA user_version = 7");
  await expect(openForReading({ path })).rejects.toThrow(/has schema version 7.*sheepdog doctor --rebuild$/);
});

test("a folder in place of the database is refused with a sentence", async () => {
  mkdirSync(fixture.folder.path);
  await expect(openForReading({ path: fixture.folder.path })).rejects.toThrow("is not a file");
});

test("rows of other programs are left out and counted", async () => {
  fixture.copyClosedDatabase();
  const database = await openDatabase(fixture.folder.path);
  database.exec(`INSERT INTO facts (at, json) VALUES (1, 'no json'); INSERT INTO lessons (key, json) VALUES ('k', '{}');
    INSERT INTO audit (at, session_id, json) VALUES (1, 's', '[]');
    UPDATE sessions SET holder = 'me', unanswered_calls = '{}' WHERE id = 'ses_a';
    INSERT INTO messages (row_key, json) SELECT key * 1073741824 + 900, '{}' FROM sessions WHERE id = 'ses_a'`);
  database.close();
  const { stores, foreignRows } = await openForReading({ path: fixture.folder.path });
  expect(await countRows(stores)).toEqual(allRows);
  expect((await stores.sessions.list()).map(({ holder }) => holder)).toEqual([undefined, undefined, undefined]);
  expect([await stores.audit.list(), await stores.lessons.list()]).toEqual([[], []]);
  expect(await stores.memory.list()).toHaveLength(1);
  expect(foreignRows()).toBe(5);
  await stores.close();
  const { stores: writable, rebuilt } = await fixture.rebuild();
  expect(rebuilt).toBeUndefined();
  await expect(writable.sessions.load("ses_a")).rejects.toThrow("is not used");
  expect((await writable.sessions.load("ses_b")).runs).toHaveLength(2);
});
