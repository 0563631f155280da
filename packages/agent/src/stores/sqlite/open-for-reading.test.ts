import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { openDatabase } from "@sheepdog/records";
import { expect, test } from "vitest";
import { allRows, countRows, editFile, later, rebuildFixture } from "../../../test/rebuild-fixture.ts";
import { findLostAmounts } from "../lost-amounts.ts";
import { migrations } from "./migrations.ts";
import { openForReading, openRebuiltCopy } from "./open-for-reading.ts";
import { openSqlite } from "./open-sqlite.ts";
import { sqliteStores } from "./sqlite-stores.ts";

const fixture = rebuildFixture();
const filesOf = () => readdirSync(fixture.folder.dir).filter((name) => !/-(?:wal|shm)$/.test(name));
const bytesOf = (path: string) => readFileSync(path).toString("base64");

test("everything is read, also what only the write-ahead log has, and nothing can be changed", async () => {
  fixture.copyCrashedDatabase();
  const before = bytesOf(`${fixture.folder.path}-wal`);
  const { stores, problem, foreignRows } = await openForReading({ path: fixture.folder.path });
  expect([await countRows(stores), problem, foreignRows()]).toEqual([allRows, undefined, 0]);
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

test("a missing database is read from the logs, and is not created", async () => {
  fixture.writeAllLogs();
  const before = filesOf();
  const { stores, problem } = await openForReading({ path: fixture.folder.path, logDir: fixture.folder.logDir });
  expect([(await stores.sessions.list()).length, problem]).toEqual([
    3,
    `The database ${fixture.folder.path} is missing`,
  ]);
  await stores.close();
  expect(filesOf()).toEqual(before);
});

test("of a damaged database a copy is read, and the database stays as it is", async () => {
  fixture.copyClosedDatabase();
  await fixture.damageTable("sessions");
  const before = filesOf();
  const { stores } = await openForReading({ path: fixture.folder.path });
  await expect(stores.sessions.list()).rejects.toThrow("is damaged"); // SQLite says so when it reads the page
  await stores.close();
  const copy = await openRebuiltCopy({ path: fixture.folder.path }, "It is damaged");
  expect([await countRows(copy.stores), copy.problem]).toEqual([allRows, "It is damaged"]);
  await copy.stores.close();
  editFile(fixture.folder.path, (bytes) => bytes.write("Not a database!", 0));
  const { stores: all, problem } = await openForReading({ path: fixture.folder.path });
  expect([await countRows(all), problem]).toEqual([allRows, expect.stringContaining("is damaged: file is not a data")]);
  await all.close();
  expect(filesOf()).toEqual(before);
});

test("a database with an older schema is read from a migrated copy", async () => {
  const { path } = fixture.folder;
  await (await openSqlite({ path, migrations: migrations.slice(0, 2) })).close();
  const { stores, problem } = await openForReading({ path });
  expect([await stores.audit.list(), problem]).toEqual([[], undefined]);
  await stores.close();
  const database = await openDatabase(path, { isReadOnly: true });
  expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: 2 });
  database.close();
  expect(filesOf().length).toBe(1);
});

test("after an interrupted rebuild the files that were moved are read", async () => {
  const { path, dir } = fixture.folder;
  const moved = `${path}.damaged-2026-01-11T12-00-00-000Z`;
  fixture.copyClosedDatabase(moved);
  writeFileSync(`${path}.rebuild`, `${moved.slice(dir.length + 1)}\nx.db.rebuilding-1\n`);
  const { stores } = await openForReading({ path });
  expect(await countRows(stores)).toEqual(allRows);
  await stores.close();
  expect(existsSync(path)).toBe(false);
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
  const { stores: writable, rebuilt } = await fixture.open();
  expect(rebuilt).toBeUndefined();
  await expect(writable.sessions.load("ses_a")).rejects.toThrow("is not used");
  expect((await writable.sessions.load("ses_b")).runs).toHaveLength(2);
});

test.each([
  ["costs", true],
  ["facts", false],
])("after damage in %s, amounts of the day count as lost: %s", async (table, areLost) => {
  fixture.copyClosedDatabase();
  await fixture.damageTable(table);
  const database = await openDatabase(fixture.folder.path);
  database.exec("UPDATE balances SET name = '2026-01' WHERE kind = 'month'");
  database.close();
  const { stores, rebuilt } = await fixture.open();
  expect(rebuilt?.areAmountsLost).toBe(areLost);
  const [row] = await stores.costs.unconfirmed();
  expect((await findLostAmounts(stores, later, "month"))?.id).toBe(row?.id);
  if (row === undefined) return;
  expect(await findLostAmounts(stores, later + 90 * 86_400_000, "month")).toBeUndefined();
  expect(await stores.costs.settleUnconfirmed(row, { costNanoUsd: 5, by: "me", at: later })).toBe(true);
  expect(await findLostAmounts(stores, later, "month")).toBeUndefined();
});

test("costs that the logs have are not lost", async () => {
  fixture.copyClosedDatabase();
  fixture.writeAllLogs();
  await fixture.damageTable("costs");
  expect((await fixture.open({ withLogs: true })).rebuilt).toMatchObject({
    areAmountsLost: false,
    costs: allRows.costs,
  });
});
