import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { allRows, countRows, editFile, rebuildFixture, runsOf } from "../../../test/rebuild-fixture.ts";
import { sqliteStores } from "./sqlite-stores.ts";

const fixture = rebuildFixture();

describe("a rebuild in progress", () => {
  test("keeps every other process from creating an empty database", async () => {
    fixture.copyClosedDatabase();
    writeFileSync(`${fixture.folder.path}.rebuild`, "sheepdog.db.damaged-1\nsheepdog.db.rebuilding-1\n");
    renameSync(fixture.folder.path, `${fixture.folder.path}.damaged-1`);
    await expect(sqliteStores({ path: fixture.folder.path })).rejects.toMatchObject({
      name: "DamagedDatabaseError",
      finding: "it is being rebuilt",
    });
    expect(existsSync(fixture.folder.path)).toBe(false);
    const { stores, rebuilt } = await fixture.open();
    expect([rebuilt?.lost, await countRows(stores)]).toEqual([[], allRows]);
  });

  test("keeps a process that looked just before it from creating a database", async () => {
    fixture.copyClosedDatabase();
    editFile(fixture.folder.path, (bytes) => bytes.write("broken", 0));
    const results = await Promise.all(Array.from({ length: 8 }, (_, n) => pause(n * 5).then(() => fixture.open())));
    expect(results.filter(({ rebuilt }) => rebuilt !== undefined).length).toBe(1);
    for (const { stores } of results) expect(await countRows(stores)).toEqual(allRows);
  });
});

describe("a rebuild whose process was killed", () => {
  test("after it moved the database is repeated from the moved database", async () => {
    fixture.copyClosedDatabase();
    editFile(fixture.folder.path, (bytes) => bytes.write("broken", 0));
    const moved = `${fixture.folder.path}.damaged-before`;
    renameSync(fixture.folder.path, moved);
    writeFileSync(`${fixture.folder.path}.rebuild`, "sheepdog.db.damaged-before\nsheepdog.db.rebuilding-before\n");
    writeFileSync(`${fixture.folder.path}.rebuilding-before`, "half of it");
    const { stores, rebuilt } = await fixture.open();
    expect([rebuilt?.movedTo, await countRows(stores)]).toEqual([moved, allRows]);
    await stores.close();
    expect(fixture.folder.files().filter((name) => !/-wal|-shm/.test(name))).toEqual([
      "sheepdog.db",
      "sheepdog.db.damaged-before",
      "sheepdog.db.rebuild-lock",
    ]);
  });

  test("after it put the new database in place is complete", async () => {
    fixture.copyClosedDatabase(`${fixture.folder.path}.rebuilding-before`);
    linkSync(`${fixture.folder.path}.rebuilding-before`, fixture.folder.path);
    writeFileSync(`${fixture.folder.path}.damaged-before`, "damaged");
    writeFileSync(`${fixture.folder.path}.rebuild`, "sheepdog.db.damaged-before\nsheepdog.db.rebuilding-before\n");
    const { stores, rebuilt } = await fixture.open();
    expect([rebuilt, await countRows(stores)]).toEqual([undefined, allRows]);
    expect(existsSync(`${fixture.folder.path}.rebuild`)).toBe(false);
  });

  test("before it moved anything starts again", async () => {
    fixture.copyClosedDatabase();
    writeFileSync(`${fixture.folder.path}.rebuild`, "");
    const { stores } = await fixture.open();
    expect(await countRows(stores)).toEqual(allRows);
  });
});

describe("a missing database", () => {
  test("is rebuilt from the run logs once, and the report says so", async () => {
    fixture.writeAllLogs();
    const { stores, rebuilt } = await fixture.open({ withLogs: true });
    expect(rebuilt).toMatchObject({ sessions: 3, runs: 6, costs: allRows.costs, runsFromLogs: 6, lost: [] });
    expect(rebuilt?.movedTo).toBeUndefined();
    expect((await stores.sessions.load("ses_c")).runs).toEqual(runsOf("ses_c").map(({ run }) => run));
    await stores.close();
    expect((await fixture.open({ withLogs: true })).rebuilt).toBeUndefined();
    expect(fixture.folder.files().filter((name) => !/-wal|-shm/.test(name))).toEqual([
      "logs",
      "sheepdog.db",
      "sheepdog.db.rebuild-lock",
    ]);
  });

  test("is rebuilt once when several callers open it at the same time", async () => {
    fixture.writeAllLogs();
    const results = await Promise.all([1, 2, 3].map(() => fixture.open({ withLogs: true })));
    expect(results.filter(({ rebuilt }) => rebuilt !== undefined).length).toBe(1);
    for (const { stores } of results)
      expect((await stores.sessions.load("ses_a")).runs).toEqual(runsOf("ses_a").map(({ run }) => run));
  });

  test("is rebuilt again after a process was killed while it rebuilt it", async () => {
    fixture.writeAllLogs();
    const { path } = fixture.folder;
    writeFileSync(`${path}.rebuild`, "sheepdog.db.damaged-before\nsheepdog.db.rebuilding-before\n");
    writeFileSync(`${path}.rebuilding-before`, "half of it");
    const { rebuilt } = await fixture.open({ withLogs: true });
    expect(rebuilt).toMatchObject({ sessions: 3, runs: 6, lost: [] });
    expect(existsSync(`${path}.rebuilding-before`)).toBe(false);
  });

  test("whose write-ahead log is still there never gets the pages of that log", async () => {
    fixture.copyCrashedDatabase();
    const { path } = fixture.folder;
    const wal = readFileSync(`${path}-wal`);
    rmSync(path);
    const { stores, rebuilt } = await fixture.open();
    expect(rebuilt?.lost).toEqual(["what was written last: only the write-ahead log was there"]);
    expect(readFileSync(`${rebuilt?.movedTo}-wal`).equals(wal)).toBe(true);
    expect(await stores.sessions.list()).toEqual([]);
  });
});
