import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { openDatabase } from "@sheepdog/records";
import { describe, expect, test } from "vitest";
import {
  allRows,
  changeDatabase,
  costOfRequest,
  countRows,
  editFile,
  later,
  rebuildFixture,
  runsOf,
} from "../../../test/rebuild-fixture.ts";
import { sampleLesson } from "../../../test/sample-lesson.ts";
import { claimLease, sampleRun, saveRuns, start } from "../../../test/sample-runs.ts";
import { thisProcess } from "../holder.ts";
import { findLostAmounts } from "../lost-amounts.ts";
import { rebuildDatabase } from "./rebuild.ts";
import { sqliteStores } from "./sqlite-stores.ts";

const fixture = rebuildFixture();
const leftovers = () => fixture.folder.files().filter((name) => /rebuilding|rebuilt/.test(name));

/** Drops a table as a process does that is killed before it moves its write-ahead log into the database. */
async function dropTableInLog(table: string): Promise<void> {
  const { path } = fixture.folder;
  const database = await openDatabase(path);
  database.exec(`DROP TABLE ${table}`);
  for (const end of ["", "-wal"]) copyFileSync(path + end, `${path}.killed${end}`);
  database.close();
  for (const end of ["-shm", ""]) rmSync(path + end, { force: true });
  for (const end of ["", "-wal"]) renameSync(`${path}.killed${end}`, path + end);
}

describe("a damaged database", () => {
  test("is moved aside unchanged, and its readable tables are copied", async () => {
    fixture.copyClosedDatabase();
    await fixture.damageTable("lessons");
    const damaged = readFileSync(fixture.folder.path);
    const { stores, rebuilt } = await fixture.rebuild();
    expect(rebuilt).toEqual({
      movedTo: `${fixture.folder.path}.damaged-2026-01-11T12-00-00-000Z`,
      sessions: 3,
      ...allRows,
      facts: 1,
      runsFromLogs: 0,
      areAmountsLost: false,
      lost: ["the table lessons: SQLite cannot read all of it"],
    });
    expect(readFileSync(rebuilt?.movedTo ?? "").equals(damaged)).toBe(true);
    expect(await countRows(stores)).toEqual(allRows);
    expect((await stores.sessions.load("ses_a")).messages).toEqual(runsOf("ses_a").flatMap(({ messages }) => messages));
    expect((await stores.events.after("ses_b", 0)).length).toBe(runsOf("ses_b").flatMap(({ events }) => events).length);
    expect((await stores.memory.search("node", 5)).map(({ id }) => id)).toEqual(["fact_1"]);
    expect((await stores.costs.totals("ses_a", start)).month).toBe(allRows.costs * costOfRequest);
    const { lastSeq } = await stores.sessions.load("ses_a");
    await saveRuns(stores, "ses_a", [sampleRun("ses_a", "run_new", { at: later + 1_000, seq: lastSeq })]);
    expect((await stores.sessions.load("ses_a")).runs).toHaveLength(3);
    await stores.close();
    expect(leftovers()).toEqual([]);
    expect(statSync(fixture.folder.path).mode & 0o777).toBe(0o600);
    expect(await rebuildDatabase({ path: fixture.folder.path })).toBeUndefined();
  });

  test("keeps what only its write-ahead log has, and the log is moved with it", async () => {
    fixture.copyCrashedDatabase();
    await dropTableInLog("lessons");
    const log = readFileSync(`${fixture.folder.path}-wal`);
    const { stores, rebuilt } = await fixture.rebuild();
    expect(await countRows(stores)).toEqual(allRows);
    expect(readFileSync(`${rebuilt?.movedTo}-wal`).equals(log)).toBe(true);
  });

  test("keeps the audit trail and the lessons", async () => {
    const stores = await sqliteStores({ path: fixture.folder.path });
    const lesson = sampleLesson({ at: 1, tier: 2, workspace: "/work" });
    const lease = await claimLease(stores, "ses_1", 1);
    const common = {
      at: 1,
      sessionId: "ses_1",
      runId: "run_1",
      callId: "c",
      tool: "bash",
      input: "ls",
      tier: 0,
    } as const;
    const decision = {
      ...common,
      type: "decision",
      id: "aud_1",
      by: "gate",
      decision: "allow",
      reason: "Reads.",
    } as const;
    await stores.sessions.commit(lease, { at: 1, audit: [decision], lessons: [lesson] });
    await stores.sessions.release(lease);
    await stores.close();
    await changeDatabase(fixture.folder.path, "DROP TABLE fact_words");
    const { stores: mine, rebuilt } = await fixture.rebuild();
    expect(rebuilt?.lost).toEqual([]);
    expect((await mine.audit.list()).map(({ id, seq }) => [id, seq])).toEqual([["aud_1", 1]]);
    expect(await mine.lessons.list()).toMatchObject([{ id: "lesson_1", ...lesson }]);
  });

  test.each(["not a database", "empty"])("that is %s is rebuilt from logs, and the report says so", async (damage) => {
    fixture.copyClosedDatabase();
    fixture.writeAllLogs();
    if (damage === "empty") truncateSync(fixture.folder.path, 0);
    else editFile(fixture.folder.path, (bytes) => bytes.write("Not a database!", 0));
    const { stores, rebuilt } = await fixture.rebuild({ withLogs: true });
    expect(rebuilt).toMatchObject({ sessions: 3, runs: 6, runsFromLogs: 6, areAmountsLost: true });
    expect(rebuilt?.costs).toBe(allRows.costs + 1); // the row of lost amounts
    expect(rebuilt?.lost[0]).toBe("everything that the database held: SQLite cannot read it");
    const saved = await stores.sessions.load("ses_b");
    expect(saved.runs).toEqual(runsOf("ses_b").map(({ run }) => run));
    expect(saved.messages.at(-1)).toMatchObject({
      reason: "rebuilt",
      text: expect.stringContaining("rebuilt from logs"),
    });
    expect((await stores.costs.totals("ses_b", start)).session).toBe(24 * costOfRequest);
  });

  test.each([
    ["sessions", ["the table sessions", "156 rows of messages: their session"]],
    ["messages", ["the table messages"]],
    ["runs", ["the table runs"]],
  ])("without readable %s gets them from logs, in order and with a note", async (table, lost) => {
    fixture.copyClosedDatabase();
    fixture.writeAllLogs();
    await fixture.damageTable(table);
    const { stores, rebuilt } = await fixture.rebuild({ withLogs: true });
    for (const each of lost) expect(rebuilt?.lost.join("\n")).toContain(each);
    const { messages, runs } = await stores.sessions.load("ses_a");
    expect(runs.map(({ runId, state }) => [runId, state])).toEqual([
      ["run_ses_a_1", "completed"],
      ["run_ses_a_2", "completed"],
    ]);
    const prompts = messages.flatMap((message) => (message.role === "user" ? [message.text.split(":")[0]] : []));
    expect(prompts.slice(0, 2)).toEqual(["Do run_ses_a_1", "Do run_ses_a_2"]);
    expect(messages.at(-1)).toMatchObject({ role: "user", origin: "automatic", reason: "rebuilt" });
    expect(messages.filter(({ role }) => role === "tool").length).toBe(24);
    expect((await stores.costs.totals("ses_a", start)).month).toBe(allRows.costs * costOfRequest);
  });

  test("without readable events loses nothing else", async () => {
    fixture.copyClosedDatabase();
    await fixture.damageTable("events");
    const { stores } = await fixture.rebuild();
    expect(await countRows(stores)).toEqual(allRows);
    expect((await stores.sessions.load("ses_b")).lastSeq).toBe(runsOf("ses_b").flatMap(({ events }) => events).length);
  });

  test("leaves out rows that this program did not write, and reports them", async () => {
    fixture.copyClosedDatabase();
    const edit = "UPDATE messages SET json = '{}' WHERE row_key = (SELECT min(row_key) FROM messages)";
    await changeDatabase(fixture.folder.path, `${edit}; DROP TABLE lessons`);
    const { stores, rebuilt } = await fixture.rebuild();
    expect(rebuilt?.lost[0]).toBe("1 row of messages: what they hold is damaged");
    expect(await countRows(stores)).toEqual({ ...allRows, messages: allRows.messages - 1 });
    expect((await stores.sessions.load("ses_a")).messages.at(-1)).toMatchObject({ reason: "rebuilt" });
  });

  test("does not bring back sessions whose removal had begun", async () => {
    fixture.copyClosedDatabase();
    await changeDatabase(
      fixture.folder.path,
      `INSERT INTO removals SELECT key FROM sessions WHERE id = 'ses_b'; DELETE FROM sessions WHERE id = 'ses_b';
       DROP TABLE fact_words`,
    );
    const { stores, rebuilt } = await fixture.rebuild();
    expect(rebuilt).toMatchObject({ sessions: 2, messages: (allRows.messages / 3) * 2, lost: [] });
    expect((await stores.sessions.load("ses_b")).messages).toEqual([]);
  });

  test("that lost the result of a call gets an unknown outcome instead of a second execution", async () => {
    const stores = await sqliteStores({ path: fixture.folder.path });
    const { commits } = sampleRun("ses_a", "run_1", { turns: 1 });
    const lease = await claimLease(stores, "ses_a", start);
    for (const commit of commits.slice(0, 2)) await stores.sessions.commit(lease, commit);
    await stores.sessions.release(lease);
    await stores.close();
    await changeDatabase(
      fixture.folder.path,
      'DELETE FROM messages WHERE json LIKE \'%"role":"tool"%\'; DROP TABLE lessons',
    );
    const { stores: rebuilt } = await fixture.rebuild();
    const { messages } = await rebuilt.sessions.load("ses_a");
    expect(
      messages.map((message) => (message.role === "tool" ? [message.callId, message.status] : message.role)),
    ).toEqual([...["user", "assistant"], ["run_1-call-1", "interrupted"], "user"]);
  });
});

describe("amounts", () => {
  test.each([
    ["costs", true],
    ["facts", false],
  ])("of the day count as lost after damage in %s: %s", async (table, areLost) => {
    fixture.copyClosedDatabase();
    await fixture.damageTable(table);
    await changeDatabase(fixture.folder.path, "UPDATE balances SET name = '2026-01' WHERE kind = 'month'");
    const { stores, rebuilt } = await fixture.rebuild();
    expect(rebuilt?.areAmountsLost).toBe(areLost);
    const [row] = await stores.costs.unconfirmed();
    expect((await findLostAmounts(stores, later, "month"))?.id).toBe(row?.id);
    if (row === undefined) return;
    expect(await findLostAmounts(stores, later + 90 * 86_400_000, "month")).toBeUndefined();
    expect(await stores.costs.settleUnconfirmed(row, { costNanoUsd: 5, by: "me", at: later })).toBe(true);
    expect(await findLostAmounts(stores, later, "month")).toBeUndefined();
  });

  test("that the logs have are not lost", async () => {
    fixture.copyClosedDatabase();
    fixture.writeAllLogs();
    await fixture.damageTable("costs");
    const { stores, rebuilt } = await fixture.rebuild({ withLogs: true });
    expect(rebuilt).toMatchObject({ areAmountsLost: false, costs: allRows.costs });
    expect((await stores.costs.totals("ses_a", start)).month).toBe(allRows.costs * costOfRequest);
  });

  test("that balances lack are added from the costs when the database is opened", async () => {
    fixture.copyClosedDatabase();
    await changeDatabase(fixture.folder.path, "UPDATE balances SET spent = spent - 1 WHERE kind = 'day'");
    const { stores, rebuilt } = await fixture.rebuild();
    expect(rebuilt).toBeUndefined();
    expect((await stores.costs.totals("ses_a", start)).day).toBe(allRows.costs * costOfRequest);
  });
});

describe("a missing database", () => {
  test("is rebuilt from logs", async () => {
    fixture.writeAllLogs();
    const { rebuilt } = await fixture.rebuild({ withLogs: true });
    expect(rebuilt).toMatchObject({ sessions: 3, runs: 6, runsFromLogs: 6, areAmountsLost: false, lost: [] });
    expect(rebuilt).not.toHaveProperty("movedTo");
  });

  test("that left nothing is not created", async () => {
    expect(await rebuildDatabase({ path: fixture.folder.path, logDir: fixture.folder.logDir })).toBeUndefined();
    expect(existsSync(fixture.folder.path)).toBe(false);
  });

  test("that left only its write-ahead log may have had amounts, and the log is moved aside", async () => {
    fixture.copyCrashedDatabase();
    rmSync(fixture.folder.path);
    const { rebuilt } = await fixture.rebuild();
    expect(rebuilt).toMatchObject({
      areAmountsLost: true,
      lost: [expect.stringContaining("only the write-")],
    });
    expect(existsSync(`${rebuilt?.movedTo}-wal`)).toBe(true);
  });
});

describe("a rebuild", () => {
  test("is refused while a process runs a session, and changes nothing", async () => {
    const stores = await sqliteStores({ path: fixture.folder.path });
    await stores.sessions.claim("ses_1", thisProcess(), later);
    await stores.close();
    await fixture.damageTable("lessons");
    const databases = () => fixture.folder.files().filter((name) => !/-(?:wal|shm|lock)$/.test(name));
    const before = databases();
    await expect(fixture.rebuild()).rejects.toThrow(
      `is in use: process ${process.pid} on ${thisProcess().host} runs session ses_1. ` +
        "To end the run: sheepdog stop ses_1",
    );
    expect(databases()).toEqual(before);
  });

  test("is done once when several begin at the same time", async () => {
    fixture.copyClosedDatabase();
    await fixture.damageTable("lessons");
    const { path } = fixture.folder;
    const all = await Promise.allSettled([rebuildDatabase({ path }), rebuildDatabase({ path })]);
    expect(all.map((each) => (each.status === "fulfilled" ? "done" : String(each.reason.message))).toSorted()).toEqual([
      `Another process rebuilds the database ${path}: wait until it ends.`,
      "done",
    ]);
  });

  test.each([
    ["before the old database was moved", false],
    ["between moving the old database and its log", true],
  ])("that was interrupted %s is done again or finished", async (_, isMoved) => {
    const { path } = fixture.folder;
    fixture.copyClosedDatabase(`${path}.rebuilt`);
    if (isMoved) writeFileSync(`${path}-wal`, "left");
    else fixture.copyClosedDatabase();
    if (!isMoved) await fixture.damageTable("facts");
    writeFileSync(`${path}.rebuilding-1`, "left");
    const { stores, rebuilt } = await fixture.rebuild();
    expect(rebuilt).toMatchObject({ ...allRows, facts: isMoved ? 1 : 0 });
    expect(await countRows(stores)).toEqual(allRows);
    expect(leftovers()).toEqual([]);
  });

  test("never gives the name of a database that was moved aside before", async () => {
    const moved: (string | undefined)[] = [];
    for (let round = 0; round < 3; round += 1) {
      fixture.copyClosedDatabase(`${fixture.folder.path}.new`);
      for (const end of ["", "-wal", "-shm"]) rmSync(fixture.folder.path + end, { force: true });
      renameSync(`${fixture.folder.path}.new`, fixture.folder.path);
      editFile(fixture.folder.path, (bytes) => bytes.fill(round + 1, 0, 16));
      const { rebuilt, stores } = await fixture.rebuild();
      await stores.close();
      moved.push(rebuilt?.movedTo);
    }
    expect(new Set(moved).size).toBe(3);
    expect(moved.map((path, round) => readFileSync(path ?? "")[0] === round + 1)).toEqual([true, true, true]);
  });

  test("of a symbolic link or of another program's database is refused", async () => {
    const { path, dir } = fixture.folder;
    writeFileSync(`${dir}/real.db`, "damaged");
    symlinkSync(`${dir}/real.db`, path);
    await expect(rebuildDatabase({ path })).rejects.toThrow(`${path} cannot be used: it is a symbolic link`);
    const other = await openDatabase(`${dir}/other.db`);
    other.exec("CREATE TABLE cats (name TEXT)");
    other.close();
    await expect(rebuildDatabase({ path: `${dir}/other.db` })).rejects.toThrow("is another program's. Move it away.");
  });

  test("reports a log folder that cannot be read", async () => {
    writeFileSync(fixture.folder.logDir, "a file");
    const { rebuilt } = await fixture.rebuild({ withLogs: true });
    expect(rebuilt?.lost).toEqual([expect.stringContaining(`the logs at ${fixture.folder.logDir}: ENOTDIR`)]);
  });

  test("of another schema version copies what both have", async () => {
    fixture.copyClosedDatabase();
    await changeDatabase(fixture.folder.path, "PRAGMA user_version = 7; ALTER TABLE runs ADD COLUMN more TEXT");
    const { stores, rebuilt } = await fixture.rebuild();
    expect(rebuilt).toMatchObject({ ...allRows, lost: [] });
    expect(await countRows(stores)).toEqual(allRows);
  });
});
