import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { allRows, countRows, editFile, later, rebuildFixture, sessionIds } from "../../../test/rebuild-fixture.ts";
import { sampleRun, saveRuns } from "../../../test/sample-runs.ts";
import { openOrRebuild } from "./open-or-rebuild.ts";
import { pageSize } from "./schema.ts";
import { sqliteStores } from "./sqlite-stores.ts";

const fixture = rebuildFixture();

describe("an intact database", () => {
  test("is opened unchanged", async () => {
    fixture.copyClosedDatabase();
    const { stores, rebuilt } = await fixture.open();
    expect({ rebuilt, ...(await countRows(stores)) }).toEqual(allRows);
    expect(fixture.folder.files().filter((name) => name.includes("damaged"))).toEqual([]);
  });

  test("is opened with the write-ahead log that a killed process left", async () => {
    fixture.copyCrashedDatabase();
    const { stores, rebuilt } = await fixture.open();
    expect({ rebuilt, ...(await countRows(stores)) }).toEqual(allRows);
  });

  test("is created when there is none and no logs exist", async () => {
    const { stores, rebuilt } = await fixture.open({ withLogs: true });
    expect([rebuilt, await stores.sessions.list()]).toEqual([undefined, []]);
  });

  test("is opened when its write-ahead log ends in the middle of a frame, as after a kill", async () => {
    fixture.copyCrashedDatabase();
    const wal = readFileSync(`${fixture.folder.path}-wal`);
    const partialFrame = wal.subarray(32, 32 + 24 + 100);
    writeFileSync(`${fixture.folder.path}-wal`, Buffer.concat([wal, partialFrame]));
    const { stores, rebuilt } = await fixture.open();
    expect({ rebuilt, ...(await countRows(stores)) }).toEqual(allRows);
  });

  test("is opened without reading the run logs", async () => {
    await (await sqliteStores({ path: fixture.folder.path })).close();
    fixture.writeAllLogs();
    const { stores, rebuilt } = await fixture.open({ withLogs: true });
    expect([rebuilt, await stores.sessions.list()]).toEqual([undefined, []]);
  });
});

describe("a write-ahead log", () => {
  test("with a damaged page is not silently cut off there", async () => {
    fixture.copyCrashedDatabase();
    const frames = Math.floor((readFileSync(`${fixture.folder.path}-wal`).length - 32) / (pageSize + 24));
    const middle = 32 + Math.floor(frames / 2) * (pageSize + 24);
    editFile(`${fixture.folder.path}-wal`, (bytes) =>
      bytes.writeUInt8((bytes[middle + 500] ?? 0) ^ 0xff, middle + 500),
    );
    const { stores, rebuilt } = await fixture.open();
    expect(rebuilt?.lost[0]).toBe("1 pages of the write-ahead log: what was written last may be incomplete");
    const { runs, messages } = await countRows(stores);
    expect(runs).toBe(allRows.runs); // the pages after it are newer
    expect(messages).toBeGreaterThan(allRows.messages - 30);
  });

  test("with a damaged header is still read", async () => {
    fixture.copyCrashedDatabase();
    editFile(`${fixture.folder.path}-wal`, (bytes) => bytes.writeUInt8(0x77, 13));
    const { stores, rebuilt } = await fixture.open();
    expect(rebuilt).toBeDefined();
    expect(await countRows(stores)).toEqual(allRows);
  });

  test("of another database is reported, and its sessions are not added", async () => {
    fixture.copyClosedDatabase();
    const other = `${fixture.folder.path}.other`;
    const stores = await sqliteStores({ path: other });
    for (const sessionId of ["ses_x", "ses_y", "ses_z", "ses_w"])
      await saveRuns(stores, sessionId, [sampleRun(sessionId, `run_${sessionId}`, { turns: 30 })]);
    copyFileSync(`${other}-wal`, `${fixture.folder.path}-wal`);
    await stores.close();
    const { stores: opened, rebuilt } = await fixture.open();
    expect(rebuilt?.lost[0]).toBe("what was written last: the write-ahead log is that of another database");
    expect(await countRows(opened)).toEqual(allRows);
    expect((await opened.sessions.list()).map(({ sessionId }) => sessionId).sort()).toEqual(sessionIds);
  });

  test("is recognized as another database's by its session ids, not by times", async () => {
    const before = await sqliteStores({ path: fixture.folder.path });
    await saveRuns(before, "ses_old", [sampleRun("ses_old", "run_old", { at: later })]);
    await before.close();
    const stores = await sqliteStores({ path: fixture.folder.path }); // the clock was set back
    await stores.sessions.remove("ses_old", later + 1);
    await saveRuns(stores, "ses_new", [sampleRun("ses_new", "run_new")]);
    const copy = `${fixture.folder.path}.crashed`;
    for (const suffix of ["", "-wal"]) copyFileSync(fixture.folder.path + suffix, copy + suffix); // as after a kill
    await stores.close();
    const { stores: opened, rebuilt } = await openOrRebuild({ path: copy, now: () => later });
    expect([rebuilt, (await opened.sessions.list()).map(({ sessionId }) => sessionId)]).toEqual([
      undefined,
      ["ses_new"],
    ]);
    await opened.close();
  });
});
