import { existsSync, readFileSync, renameSync, rmSync, truncateSync } from "node:fs";
import { openDatabase } from "@sheepdog/records";
import { describe, expect, test } from "vitest";
import {
  allRows,
  costOfRequest,
  countRows,
  editFile,
  integrityOf,
  later,
  rebuildFixture,
  rootPageOf,
  runsOf,
  sessionIds,
} from "../../../test/rebuild-fixture.ts";
import { claimLease, sampleRun, saveRuns, start } from "../../../test/sample-runs.ts";
import { thisProcess } from "../holder.ts";
import { pageSize } from "./schema.ts";
import { sqliteStores } from "./sqlite-stores.ts";

const fixture = rebuildFixture();

describe("a damaged database", () => {
  test("with a wrong first page is moved aside unchanged, and rebuilt in full", async () => {
    fixture.copyClosedDatabase();
    editFile(fixture.folder.path, (bytes) => bytes.write("Not a database!", 0));
    const damaged = readFileSync(fixture.folder.path);
    const { stores, rebuilt } = await fixture.open();
    expect(rebuilt).toEqual({
      movedTo: expect.stringContaining(`${fixture.folder.path}.damaged-2026-01-11T12-00-00-000Z`),
      sessions: 3,
      ...allRows,
      facts: 1,
      runsFromLogs: 0,
      areAmountsLost: false,
      lost: [],
    });
    expect(readFileSync(rebuilt?.movedTo ?? "").equals(damaged)).toBe(true);
    expect(await countRows(stores)).toEqual(allRows);
    expect((await stores.sessions.load("ses_a")).messages).toEqual(runsOf("ses_a").flatMap(({ messages }) => messages));
    expect((await stores.events.after("ses_b", 0)).length).toBe(runsOf("ses_b").flatMap(({ events }) => events).length);
    expect(await stores.memory.search("node", 5)).toEqual([
      { id: "fact_1", at: start, text: "The build needs Node 20", tags: ["build"] },
    ]);
    expect((await stores.costs.totals("ses_a", start)).month).toBe(allRows.costs * costOfRequest);
    await stores.close();
    expect(await integrityOf(fixture.folder.path)).toBe("ok");
    expect(fixture.folder.files().filter((name) => /salvage|rebuilding|rebuild$/.test(name))).toEqual([]);
  });

  test("can be written to after the rebuild", async () => {
    fixture.copyClosedDatabase();
    editFile(fixture.folder.path, (bytes) => bytes.fill(0, 0, 100));
    const { stores } = await fixture.open();
    const before = (await stores.sessions.load("ses_a")).lastSeq;
    await saveRuns(stores, "ses_a", [sampleRun("ses_a", "run_new", { at: later + 1_000, seq: before })]);
    const saved = await stores.sessions.load("ses_a");
    expect([saved.runs.length, saved.messages.at(-1)?.id]).toEqual([3, "run_new-end"]);
  });

  test("of which nothing is left is rebuilt from logs, and the report says so", async () => {
    fixture.copyClosedDatabase();
    fixture.writeAllLogs();
    truncateSync(fixture.folder.path, 0);
    const { stores, rebuilt } = await fixture.open({ withLogs: true });
    expect(rebuilt).toMatchObject({
      sessions: 3,
      runs: 6,
      costs: allRows.costs + 1,
      runsFromLogs: 6,
      areAmountsLost: true,
    });
    expect(rebuilt?.lost[0]).toBe("everything that the database held: nothing of it can be read");
    const saved = await stores.sessions.load("ses_b");
    expect(saved.runs).toEqual(runsOf("ses_b").map(({ run }) => run));
    const wanted = runsOf("ses_b").flatMap(({ messages }) => messages);
    expect(saved.messages.map(({ role }) => role)).toEqual([...wanted.map(({ role }) => role), "user"]);
    expect(saved.messages.at(-1)).toMatchObject({
      origin: "automatic",
      reason: "rebuilt",
      text: expect.stringContaining("rebuilt from logs"),
    });
    expect((await stores.costs.totals("ses_b", start)).session).toBe(24 * costOfRequest);
  });

  test("without logs is reported as lost completely: an empty one never appears without a report", async () => {
    fixture.copyClosedDatabase();
    truncateSync(fixture.folder.path, 0);
    const { rebuilt } = await fixture.open();
    expect(rebuilt).toMatchObject({
      sessions: 0,
      lost: ["everything that the database held: nothing of it can be read"],
    });
    expect(existsSync(rebuilt?.movedTo ?? "")).toBe(true);
  });

  test("never gets the name of one that was moved aside before", async () => {
    const moved: (string | undefined)[] = [];
    for (let round = 0; round < 3; round += 1) {
      fixture.copyClosedDatabase(`${fixture.folder.path}.new`);
      for (const end of ["", "-wal", "-shm"]) rmSync(fixture.folder.path + end, { force: true });
      renameSync(`${fixture.folder.path}.new`, fixture.folder.path);
      editFile(fixture.folder.path, (bytes) => bytes.fill(round + 1, 0, 16));
      const { rebuilt, stores } = await fixture.open();
      await stores.close();
      moved.push(rebuilt?.movedTo);
    }
    expect(new Set(moved).size).toBe(3);
    expect(moved.map((path, round) => readFileSync(path ?? "")[0] === round + 1)).toEqual([true, true, true]);
  });

  test("that was truncated is rebuilt from the remaining rows and from logs", async () => {
    fixture.copyClosedDatabase();
    fixture.writeAllLogs();
    const size = readFileSync(fixture.folder.path).length;
    truncateSync(fixture.folder.path, Math.floor(size / 2 / pageSize) * pageSize);
    const { stores, rebuilt } = await fixture.open({ withLogs: true });
    expect(rebuilt?.lost.length).toBeGreaterThan(0);
    for (const sessionId of sessionIds) {
      const { runs, messages } = await stores.sessions.load(sessionId);
      expect(new Set(runs.map(({ runId }) => runId))).toEqual(new Set(runsOf(sessionId).map(({ run }) => run.runId)));
      expect(messages.length).toBeGreaterThan(1);
    }
    expect((await stores.costs.totals("ses_a", start)).month).toBeGreaterThanOrEqual(allRows.costs * costOfRequest);
  });

  test("without a readable table of sessions gets the session ids from events", async () => {
    fixture.copyClosedDatabase();
    await fixture.damageTable("sessions");
    const { stores, rebuilt } = await fixture.open();
    expect(await countRows(stores)).toEqual(allRows);
    expect(rebuilt).toMatchObject({ sessions: 3, lost: ["rows of sessions: some pages could not be read"] });
    expect((await stores.sessions.load("ses_b")).lastSeq).toBe(runsOf("ses_b").flatMap(({ events }) => events).length);
  });

  test("with a session id that differs from its index gets the right id back", async () => {
    fixture.copyClosedDatabase();
    const page = (await rootPageOf(fixture.folder.path, "sessions")) - 1;
    editFile(fixture.folder.path, (bytes) =>
      bytes.write("ses_q", page * pageSize + bytes.subarray(page * pageSize, (page + 1) * pageSize).indexOf("ses_b")),
    );
    const { stores, rebuilt } = await fixture.open();
    expect([rebuilt?.lost, await countRows(stores)]).toEqual([[], allRows]);
  });

  test("without readable messages gets them from logs, in order and with a note", async () => {
    fixture.copyClosedDatabase();
    fixture.writeAllLogs();
    await fixture.damageTable("messages");
    const { stores, rebuilt } = await fixture.open({ withLogs: true });
    expect(rebuilt?.lost).toContain("52 messages of session ses_a");
    const { messages } = await stores.sessions.load("ses_a");
    const prompts = messages.flatMap((message) => (message.role === "user" ? [message.text.split(":")[0]] : []));
    expect(prompts.slice(0, 2)).toEqual(["Do run_ses_a_1", "Do run_ses_a_2"]);
    expect(messages.at(-1)).toMatchObject({ role: "user", origin: "automatic", reason: "rebuilt" });
    expect(messages.filter(({ role }) => role === "tool").length).toBe(24);
  });

  test("without readable costs gets them from logs: no cost is lost", async () => {
    fixture.copyClosedDatabase();
    fixture.writeAllLogs();
    await fixture.damageTable("costs");
    const { stores } = await fixture.open({ withLogs: true });
    expect((await stores.costs.totals("ses_a", start)).month).toBe(allRows.costs * costOfRequest);
    expect((await stores.costs.sums("month"))[0]?.costNanoUsd).toBe(allRows.costs * costOfRequest);
  });

  test("with two damaged pages among its costs keeps the rows between them", async () => {
    const stores = await sqliteStores({ path: fixture.folder.path });
    const lease = await claimLease(stores, "ses_0", start);
    const usage = { input: 10, cacheRead: 0, cacheWrite: 0, output: 5, isEstimated: false };
    const costs = Array.from({ length: 4_000 }, (_, n) => {
      return {
        id: `req_${n}`,
        sessionId: `ses_${n % 100}`,
        runId: "r",
        model: "claude-sonnet",
        at: start,
        usage,
        costNanoUsd: 1_000,
      };
    });
    await stores.sessions.commit(lease, { at: start, costs });
    await stores.sessions.release(lease);
    await stores.close();
    editFile(fixture.folder.path, (bytes) => {
      for (const text of ["ses_10req_1010", "ses_95req_1095"])
        for (let page = 0; page < bytes.length; page += pageSize)
          if (bytes[page] === 10 && bytes.subarray(page, page + pageSize).includes(text))
            bytes.fill(0xee, page, page + pageSize);
    });
    const { stores: mine, rebuilt } = await fixture.open();
    expect(rebuilt?.lost).toEqual(["rows of costs: some pages could not be read"]);
    expect(rebuilt?.costs).toBeGreaterThan(3_600);
    expect((await mine.costs.totals("ses_0", start)).month).toBe(((rebuilt?.costs ?? 0) - 1) * 1_000);
  });

  test("does not bring back sessions whose removal had begun", async () => {
    fixture.copyClosedDatabase();
    const database = await openDatabase(fixture.folder.path);
    database.exec(
      "INSERT INTO removals SELECT key FROM sessions WHERE id = 'ses_b'; DELETE FROM sessions WHERE id = 'ses_b'",
    );
    database.exec("DELETE FROM checkpoints; PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    editFile(fixture.folder.path, (bytes) => bytes.write("Not a database!", 0));
    const { stores, rebuilt } = await fixture.open();
    expect(rebuilt).toMatchObject({ sessions: 2, messages: (allRows.messages / 3) * 2, lost: [] });
    expect((await stores.sessions.load("ses_b")).messages).toEqual([]);
  });

  test("with balances that are too low gets them from its costs, in place", async () => {
    fixture.copyClosedDatabase();
    const database = await openDatabase(fixture.folder.path);
    database.exec("UPDATE balances SET spent = spent - 1 WHERE kind = 'day'; PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    const { stores, rebuilt } = await fixture.open();
    expect(rebuilt).toBeUndefined();
    expect((await stores.costs.totals("ses_a", start)).day).toBe(allRows.costs * costOfRequest);
  });

  test("that lost the result of a call gets an unknown outcome instead of a second execution", async () => {
    const stores = await sqliteStores({ path: fixture.folder.path });
    const { commits } = sampleRun("ses_a", "run_1", { turns: 1 });
    const lease = await stores.sessions.claim("ses_a", thisProcess(), start);
    if (lease.ok) for (const commit of commits.slice(0, 2)) await stores.sessions.commit(lease.lease, commit);
    await stores.close();
    const database = await openDatabase(fixture.folder.path);
    database.exec('DELETE FROM messages WHERE json LIKE \'%"role":"tool"%\'');
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    const changed = await fixture.open();
    await expect(changed.stores.sessions.load("ses_a")).rejects.toThrow("does not have the rows that it should have");
    await changed.stores.close();
    editFile(fixture.folder.path, (bytes) => bytes.write("Not a database!", 0));
    const { stores: rebuilt } = await fixture.open();
    const { messages } = await rebuilt.sessions.load("ses_a");
    expect(
      messages.map((message) => (message.role === "tool" ? [message.callId, message.status] : message.role)),
    ).toEqual([...["user", "assistant"], ["run_1-call-1", "interrupted"], "user"]);
  });

  test("is rebuilt once when several callers open it at the same time", async () => {
    fixture.copyClosedDatabase();
    editFile(fixture.folder.path, (bytes) => bytes.write("broken", 0));
    const both = await Promise.all([fixture.open(), fixture.open(), fixture.open()]);
    expect(both.filter(({ rebuilt }) => rebuilt !== undefined).length).toBe(1);
    for (const { stores } of both) expect(await countRows(stores)).toEqual(allRows);
  });
});
