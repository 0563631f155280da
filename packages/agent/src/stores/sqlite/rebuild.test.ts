import {
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "@sheepdog/records";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  claimLease,
  makeTestFolder,
  type SampleRun,
  sampleRun,
  saveRuns,
  start,
  writeRunLog,
} from "../../../test/sample-runs.ts";
import { thisProcess } from "../holder.ts";
import type { Stores } from "../stores.ts";
import { type OpenedStores, openOrRebuild } from "./open-or-rebuild.ts";
import { pageSize } from "./schema.ts";
import { sqliteStores } from "./sqlite-stores.ts";

const at = start + 86_400_000;
const sessionIds = ["ses_a", "ses_b", "ses_c"];

let place: ReturnType<typeof makeTestFolder>;
let opened: Stores[];
beforeEach(() => {
  place = makeTestFolder();
  opened = [];
});
afterEach(async () => {
  for (const stores of opened) await stores.close();
  place.remove();
});

/** Two runs of each of three sessions. */
function runsOf(sessionId: string): readonly SampleRun[] {
  const first = sampleRun(sessionId, `run_${sessionId}_1`, { turns: 12 });
  return [
    first,
    sampleRun(sessionId, `run_${sessionId}_2`, { turns: 12, at: start + 60_000, seq: first.events.length }),
  ];
}

const filled = makeTestFolder();
beforeAll(async () => {
  const stores = await sqliteStores({ path: filled.path });
  for (const sessionId of sessionIds) await saveRuns(stores, sessionId, runsOf(sessionId));
  await stores.memory.write({ at: start, text: "The build needs Node 20", tags: ["build"] });
  for (const end of ["", "-wal"]) copyFileSync(filled.path + end, `${filled.path}.crashed${end}`); // as a process that is killed leaves it
  await stores.close();
});
afterAll(() => filled.remove());

/** A database that was closed: everything is in the file. */
function fill(path: string): void {
  copyFileSync(filled.path, path);
}

/** A database that a process left which was killed: with a log that holds everything. */
function fillAndCrash(path: string): void {
  for (const end of ["", "-wal"]) copyFileSync(`${filled.path}.crashed${end}`, path + end);
}

function logAll(): void {
  for (const sessionId of sessionIds) for (const run of runsOf(sessionId)) writeRunLog(place.logDir, run);
}

async function open(withLogs = false): Promise<OpenedStores> {
  const found = await openOrRebuild({ path: place.path, now: () => at, ...(withLogs ? { logDir: place.logDir } : {}) });
  opened.push(found.stores);
  return found;
}

/** What is there of what was acknowledged. */
async function present(
  stores: Stores,
): Promise<{ readonly messages: number; readonly runs: number; readonly costs: number }> {
  let [messages, runs, costs] = [0, 0, 0];
  for (const sessionId of sessionIds) {
    const saved = await stores.sessions.load(sessionId);
    const wanted = runsOf(sessionId);
    const ids = new Set(saved.messages.map(({ id }) => id));
    messages += wanted.flatMap((run) => run.messages).filter(({ id }) => ids.has(id)).length;
    runs += wanted.filter(({ run }) =>
      saved.runs.some(({ runId, state }) => runId === run.runId && state === "completed"),
    ).length;
    costs += (await stores.costs.rows(sessionId)).length;
  }
  return { messages, runs, costs };
}

const all = { messages: 3 * 2 * 26, runs: 6, costs: 3 * 2 * 12 };

async function integrity(path: string): Promise<unknown> {
  const database = await openDatabase(path);
  const found = database.prepare("PRAGMA integrity_check").get();
  database.close();
  return Object.values(found as Record<string, unknown>)[0];
}

function change(path: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  edit(bytes);
  writeFileSync(path, bytes);
}

/** The page a table begins with. */
async function rootOf(table: string): Promise<number> {
  const database = await openDatabase(place.path);
  const { rootpage } = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(table) as {
    readonly rootpage: number;
  }; // as asked for
  database.close();
  return rootpage;
}

/** Fills the first page of a table with nonsense. */
async function ruin(table: string): Promise<void> {
  const page = await rootOf(table);
  change(place.path, (bytes) => bytes.fill(0xee, (page - 1) * pageSize, page * pageSize));
}

describe("a database that is sound", () => {
  test("is opened as it is", async () => {
    fill(place.path);
    const { stores, rebuilt, restored } = await open();
    expect({ rebuilt, restored, ...(await present(stores)) }).toEqual(all);
    expect(place.files().filter((name) => name.includes("damaged"))).toEqual([]);
  });

  test("is opened with the log that a killed process left", async () => {
    fillAndCrash(place.path);
    const { stores, rebuilt } = await open();
    expect({ rebuilt, ...(await present(stores)) }).toEqual(all);
  });

  test("is made where there is none", async () => {
    const { stores, rebuilt, restored } = await open(true);
    expect([rebuilt, restored, await stores.sessions.list()]).toEqual([undefined, undefined, []]);
  });

  test("is opened where the log ends in the middle of a frame, as a kill leaves it", async () => {
    fillAndCrash(place.path);
    const wal = readFileSync(`${place.path}-wal`);
    writeFileSync(`${place.path}-wal`, Buffer.concat([wal, wal.subarray(32, 32 + 24 + 100)])); // a frame that was begun
    const { stores, rebuilt } = await open();
    expect({ rebuilt, ...(await present(stores)) }).toEqual(all);
  });
});

describe("a damaged database", () => {
  test("with a wrong beginning is moved aside as it was, and rebuilt in full", async () => {
    fill(place.path);
    change(place.path, (bytes) => bytes.write("Not a database!", 0));
    const damaged = readFileSync(place.path);
    const { stores, rebuilt } = await open();
    expect(rebuilt).toEqual({
      movedTo: expect.stringContaining(`${place.path}.damaged-2026-01-11T12-00-00-000Z`),
      sessions: 3,
      ...all,
      facts: 1,
      runsFromLogs: 0,
      lost: [],
    });
    expect(readFileSync(rebuilt?.movedTo ?? "").equals(damaged)).toBe(true);
    expect(await present(stores)).toEqual(all);
    expect((await stores.sessions.load("ses_a")).messages).toEqual(runsOf("ses_a").flatMap(({ messages }) => messages));
    expect((await stores.events.after("ses_b", 0)).length).toBe(runsOf("ses_b").flatMap(({ events }) => events).length);
    expect(await stores.memory.search("node", 5)).toEqual([
      { id: "fact_1", at: start, text: "The build needs Node 20", tags: ["build"] },
    ]);
    expect((await stores.costs.totals("ses_a", start)).month).toBe(all.costs * 4_000_000);
    await stores.close();
    expect(await integrity(place.path)).toBe("ok");
    expect(place.files().filter((name) => /salvage|rebuilding|rebuild$/.test(name))).toEqual([]);
  });

  test("goes on: what is rebuilt can be written to", async () => {
    fill(place.path);
    change(place.path, (bytes) => bytes.fill(0, 0, 100));
    const { stores } = await open();
    const before = (await stores.sessions.load("ses_a")).lastSeq;
    await saveRuns(stores, "ses_a", [sampleRun("ses_a", "run_new", { at: at + 1_000, seq: before })]);
    const saved = await stores.sessions.load("ses_a");
    expect([saved.runs.length, saved.messages.at(-1)?.id]).toEqual([3, "run_new-end"]);
  });

  test("of which nothing is left is rebuilt from logs, and says so", async () => {
    fill(place.path);
    logAll();
    truncateSync(place.path, 0);
    const { stores, rebuilt } = await open(true);
    expect(rebuilt).toMatchObject({ sessions: 3, runs: 6, costs: all.costs, runsFromLogs: 6 });
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
    expect((await stores.costs.totals("ses_b", start)).session).toBe(24 * 4_000_000);
  });

  test("is never an empty one in silence: without logs the report says that everything is lost", async () => {
    fill(place.path);
    truncateSync(place.path, 0);
    const { rebuilt } = await open();
    expect(rebuilt).toMatchObject({
      sessions: 0,
      lost: ["everything that the database held: nothing of it can be read"],
    });
    expect(existsSync(rebuilt?.movedTo ?? "")).toBe(true);
  });

  test("never takes the name of one that was moved aside before", async () => {
    const moved: (string | undefined)[] = [];
    for (let round = 0; round < 3; round += 1) {
      fill(`${place.path}.new`);
      for (const end of ["", "-wal", "-shm"]) rmSync(place.path + end, { force: true });
      renameSync(`${place.path}.new`, place.path);
      change(place.path, (bytes) => bytes.fill(round + 1, 0, 16));
      const { rebuilt, stores } = await open();
      await stores.close();
      moved.push(rebuilt?.movedTo);
    }
    expect(new Set(moved).size).toBe(3);
    expect(moved.map((path, round) => readFileSync(path ?? "")[0] === round + 1)).toEqual([true, true, true]);
  });

  test("whose pages are cut off gives what is left, and logs the rest", async () => {
    fill(place.path);
    logAll();
    const size = readFileSync(place.path).length;
    truncateSync(place.path, Math.floor(size / 2 / pageSize) * pageSize);
    const { stores, rebuilt } = await open(true);
    expect(rebuilt?.lost.length).toBeGreaterThan(0);
    for (const sessionId of sessionIds) {
      const { runs, messages } = await stores.sessions.load(sessionId);
      expect(new Set(runs.map(({ runId }) => runId))).toEqual(new Set(runsOf(sessionId).map(({ run }) => run.runId)));
      expect(messages.length).toBeGreaterThan(1);
    }
    expect((await stores.costs.totals("ses_a", start)).month).toBeGreaterThanOrEqual(all.costs * 4_000_000);
  });

  test("whose table of sessions cannot be read has its sessions back by the names in their events", async () => {
    fill(place.path);
    await ruin("sessions");
    const { stores, rebuilt } = await open();
    expect(await present(stores)).toEqual(all);
    expect(rebuilt).toMatchObject({ sessions: 3, lost: ["rows of sessions: some pages could not be read"] });
    expect((await stores.sessions.load("ses_b")).lastSeq).toBe(runsOf("ses_b").flatMap(({ events }) => events).length);
  });

  test("whose session has another name on its page than in its index has the right one back", async () => {
    fill(place.path);
    const page = (await rootOf("sessions")) - 1;
    change(place.path, (bytes) =>
      bytes.write("ses_q", page * pageSize + bytes.subarray(page * pageSize, (page + 1) * pageSize).indexOf("ses_b")),
    );
    const { stores, rebuilt } = await open();
    expect([rebuilt?.lost, await present(stores)]).toEqual([[], all]);
  });

  test("whose messages cannot be read has them back from logs, in order and with a note", async () => {
    fill(place.path);
    logAll();
    await ruin("messages");
    const { stores, rebuilt } = await open(true);
    expect(rebuilt?.lost).toContain("52 messages of session ses_a");
    const { messages } = await stores.sessions.load("ses_a");
    const prompts = messages.flatMap((message) => (message.role === "user" ? [message.text.split(":")[0]] : []));
    expect(prompts.slice(0, 2)).toEqual(["Do run_ses_a_1", "Do run_ses_a_2"]);
    expect(messages.at(-1)).toMatchObject({ role: "user", origin: "automatic", reason: "rebuilt" });
    expect(messages.filter(({ role }) => role === "tool").length).toBe(24);
  });

  test("whose costs cannot be read has them back from logs: no money is forgotten", async () => {
    fill(place.path);
    logAll();
    await ruin("costs");
    const { stores } = await open(true);
    expect((await stores.costs.totals("ses_a", start)).month).toBe(all.costs * 4_000_000);
    expect((await stores.costs.sums("month"))[0]?.costNanoUsd).toBe(all.costs * 4_000_000);
  });

  test("with two bad pages among its costs has the rows between them", async () => {
    const stores = await sqliteStores({ path: place.path });
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
    change(place.path, (bytes) => {
      for (const text of ["ses_10req_1010", "ses_95req_1095"])
        for (let page = 0; page < bytes.length; page += pageSize)
          if (bytes[page] === 10 && bytes.subarray(page, page + pageSize).includes(text))
            bytes.fill(0xee, page, page + pageSize);
    });
    const { stores: mine, rebuilt } = await open();
    expect(rebuilt?.lost).toEqual(["rows of costs: some pages could not be read"]);
    expect(rebuilt?.costs).toBeGreaterThan(3_600);
    expect((await mine.costs.totals("ses_0", start)).month).toBe((rebuilt?.costs ?? 0) * 1_000);
  });

  test("does not bring back what was being removed", async () => {
    fill(place.path);
    const database = await openDatabase(place.path);
    database.exec(
      "INSERT INTO removals SELECT key FROM sessions WHERE id = 'ses_b'; DELETE FROM sessions WHERE id = 'ses_b'",
    );
    database.exec(
      "DELETE FROM checkpoints; DELETE FROM checkpoint_changes; UPDATE balances SET spent = spent + 1; PRAGMA wal_checkpoint(TRUNCATE)",
    );
    database.close();
    const { stores, rebuilt } = await open();
    expect(rebuilt).toMatchObject({ sessions: 2, messages: (all.messages / 3) * 2, lost: [] });
    expect((await stores.sessions.load("ses_b")).messages).toEqual([]);
  });

  test("whose books do not add up has its balances worked out anew", async () => {
    fill(place.path);
    const database = await openDatabase(place.path);
    database.exec("UPDATE balances SET spent = spent - 1 WHERE kind = 'day'; PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    const { stores, rebuilt } = await open();
    expect(rebuilt?.lost).toEqual([]);
    expect((await stores.costs.totals("ses_a", start)).day).toBe(all.costs * 4_000_000);
  });

  test("that lost the result of a call does not have it made again in silence", async () => {
    const stores = await sqliteStores({ path: place.path });
    const { commits } = sampleRun("ses_a", "run_1", { turns: 1 });
    const lease = await stores.sessions.claim("ses_a", thisProcess(), start);
    if (lease.ok) for (const commit of commits.slice(0, 2)) await stores.sessions.commit(lease.lease, commit);
    await stores.close();
    const database = await openDatabase(place.path);
    database.exec('DELETE FROM messages WHERE json LIKE \'%"role":"tool"%\'');
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    const { stores: rebuilt } = await open();
    const { messages } = await rebuilt.sessions.load("ses_a");
    expect(
      messages.map((message) => (message.role === "tool" ? [message.callId, message.status] : message.role)),
    ).toEqual([...["user", "assistant"], ["run_1-call-1", "interrupted"], "user"]);
  });

  test("is rebuilt once by processes that come together", async () => {
    fill(place.path);
    change(place.path, (bytes) => bytes.write("broken", 0));
    const both = await Promise.all([open(), open(), open()]);
    expect(both.filter(({ rebuilt }) => rebuilt !== undefined).length).toBe(1);
    for (const { stores } of both) expect(await present(stores)).toEqual(all);
  });
});

describe("a rebuild that goes on", () => {
  test("keeps others from an empty database, by whichever door they come", async () => {
    fill(place.path);
    writeFileSync(`${place.path}.rebuild`, "sheepdog.db.damaged-1\nsheepdog.db.rebuilding-1\n");
    renameSync(place.path, `${place.path}.damaged-1`);
    await expect(sqliteStores({ path: place.path })).rejects.toMatchObject({
      name: "DamagedDatabaseError",
      finding: "it is being rebuilt",
    });
    expect(existsSync(place.path)).toBe(false);
    const { stores, rebuilt } = await open();
    expect([rebuilt?.lost, await present(stores)]).toEqual([[], all]);
  });

  test("keeps one who looked just before from making one", async () => {
    fill(place.path);
    change(place.path, (bytes) => bytes.write("broken", 0));
    const found = await Promise.all(Array.from({ length: 8 }, (_, n) => pause(n * 5).then(() => open())));
    expect(found.filter(({ rebuilt }) => rebuilt !== undefined).length).toBe(1);
    for (const { stores } of found) expect(await present(stores)).toEqual(all);
  });
});

describe("a rebuild that was killed", () => {
  test("after the database was moved is done again from there", async () => {
    fill(place.path);
    change(place.path, (bytes) => bytes.write("broken", 0));
    const moved = `${place.path}.damaged-before`;
    renameSync(place.path, moved);
    writeFileSync(`${place.path}.rebuild`, "sheepdog.db.damaged-before\nsheepdog.db.rebuilding-before\n");
    writeFileSync(`${place.path}.rebuilding-before`, "half of it");
    const { stores, rebuilt } = await open();
    expect([rebuilt?.movedTo, await present(stores)]).toEqual([moved, all]);
    await stores.close();
    expect(place.files().filter((name) => !/-wal|-shm/.test(name))).toEqual([
      "sheepdog.db",
      "sheepdog.db.damaged-before",
      "sheepdog.db.rebuild-lock",
    ]);
  });

  test("after the new database was put in place has done all of it", async () => {
    fill(`${place.path}.rebuilding-before`);
    linkSync(`${place.path}.rebuilding-before`, place.path);
    writeFileSync(`${place.path}.damaged-before`, "damaged");
    writeFileSync(`${place.path}.rebuild`, "sheepdog.db.damaged-before\nsheepdog.db.rebuilding-before\n");
    const { stores, rebuilt } = await open();
    expect([rebuilt, await present(stores)]).toEqual([undefined, all]);
    expect(existsSync(`${place.path}.rebuild`)).toBe(false);
  });

  test("before anything was moved begins anew", async () => {
    fill(place.path);
    writeFileSync(`${place.path}.rebuild`, "");
    const { stores } = await open();
    expect(await present(stores)).toEqual(all);
  });
});

describe("a write-ahead log", () => {
  test("with a damaged page in it is not cut off there in silence", async () => {
    fillAndCrash(place.path);
    const frames = Math.floor((readFileSync(`${place.path}-wal`).length - 32) / (pageSize + 24));
    const middle = 32 + Math.floor(frames / 2) * (pageSize + 24);
    change(`${place.path}-wal`, (bytes) => bytes.writeUInt8((bytes[middle + 500] ?? 0) ^ 0xff, middle + 500));
    const { stores, rebuilt } = await open();
    expect(rebuilt?.lost[0]).toBe("1 pages of the write-ahead log: what was written last may be incomplete");
    const { runs, messages } = await present(stores);
    expect(runs).toBe(all.runs); // the pages behind it are newer
    expect(messages).toBeGreaterThan(all.messages - 30);
  });

  test("with a damaged beginning is read all the same", async () => {
    fillAndCrash(place.path);
    change(`${place.path}-wal`, (bytes) => bytes.writeUInt8(0x77, 13));
    const { stores, rebuilt } = await open();
    expect(rebuilt).toBeDefined();
    expect(await present(stores)).toEqual(all);
  });

  test("of another database is told, and that one's sessions do not come in", async () => {
    fill(place.path);
    const other = `${place.path}.other`;
    const stores = await sqliteStores({ path: other });
    for (const sessionId of ["ses_x", "ses_y", "ses_z", "ses_w"])
      await saveRuns(stores, sessionId, [sampleRun(sessionId, `run_${sessionId}`, { turns: 30 })]);
    copyFileSync(`${other}-wal`, `${place.path}-wal`);
    await stores.close();
    const { stores: mine, rebuilt } = await open();
    expect(rebuilt?.lost[0]).toBe("what was written last: the write-ahead log is that of another database");
    expect(await present(mine)).toEqual(all);
    expect((await mine.sessions.list()).map(({ sessionId }) => sessionId).sort()).toEqual(sessionIds);
  });

  test("is told from another's by the names of its sessions, and not by the clock", async () => {
    const later = start + 86_400_000;
    const before = await sqliteStores({ path: place.path });
    await saveRuns(before, "ses_old", [sampleRun("ses_old", "run_old", { at: later })]);
    await before.close();
    const stores = await sqliteStores({ path: place.path }); // the clock was set back meanwhile
    await stores.sessions.remove("ses_old", later + 1);
    await saveRuns(stores, "ses_new", [sampleRun("ses_new", "run_new")]);
    const copy = `${place.path}.crashed`;
    for (const end of ["", "-wal"]) copyFileSync(place.path + end, copy + end); // it is killed
    await stores.close();
    const { stores: mine, rebuilt } = await openOrRebuild({ path: copy, now: () => at });
    expect([rebuilt, (await mine.sessions.list()).map(({ sessionId }) => sessionId)]).toEqual([undefined, ["ses_new"]]);
    await mine.close();
  });

  test("that is missing is noticed by the logs of runs, which are brought back", async () => {
    fillAndCrash(place.path);
    logAll();
    rmSync(`${place.path}-wal`);
    const { stores, rebuilt, restored } = await open(true);
    expect([rebuilt, restored?.runs]).toEqual([undefined, 6]);
    expect((await stores.sessions.load("ses_c")).runs).toEqual(runsOf("ses_c").map(({ run }) => run));
    await stores.close();
    expect((await open(true)).restored).toBeUndefined();
  });
});

test("the runs of a session that somebody works on are left alone", async () => {
  const stores = await sqliteStores({ path: place.path });
  const claim = await stores.sessions.claim("ses_a", thisProcess(), at);
  writeRunLog(place.logDir, sampleRun("ses_a", "run_now"));
  const { restored } = await open(true);
  expect([claim.ok, restored]).toEqual([true, undefined]);
  await stores.close();
});

describe("bytes that are flipped at random", () => {
  /** A generator of numbers by a seed. */
  const dice = (seed: number) => () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };

  const rounds = Number(process.env["FLIP_ROUNDS"] ?? 12);

  test.each(["database", "log"])("in the %s never lose anything in silence", { timeout: 600_000 }, async (where) => {
    const sound = `${place.dir}/sound`;
    if (where === "log") fillAndCrash(sound);
    else fill(sound);
    const outcomes = { sound: 0, rebuilt: 0, refused: 0 };
    for (let round = 1; round <= rounds; round += 1) {
      const random = dice(round);
      const path = `${place.dir}/round-${round}`;
      for (const end of where === "log" ? ["", "-wal"] : [""]) copyFileSync(sound + end, path + end);
      change(where === "log" ? `${path}-wal` : path, (bytes) => {
        for (let flips = 1 + Math.floor(random() * 8); flips > 0; flips -= 1) {
          const page = Math.floor((random() * bytes.length) / pageSize) * pageSize;
          const spot = Math.min(bytes.length - 1, page + Math.floor(random() * (random() < 0.3 ? 24 : pageSize))); // where a page begins, a byte says much
          bytes.writeUInt8((bytes[spot] ?? 0) ^ (1 + Math.floor(random() * 255)), spot);
        }
      });
      const found = await openOrRebuild({ path, now: () => at }).catch((error: Error) => error);
      if (found instanceof Error) {
        expect(`${round}: ${found.message}`).toMatch(/is another program's|has schema version/); // in so many words
        outcomes.refused += 1;
        continue;
      }
      const { stores, rebuilt } = found;
      const there = await counted(stores);
      await stores.close();
      if (rebuilt === undefined || rebuilt.lost.length === 0)
        expect({ round, ...there }).toEqual({ round, sessions: 3, messages: all.messages, costs: all.costs });
      expect(await integrity(path)).toBe("ok");
      outcomes[rebuilt === undefined ? "sound" : "rebuilt"] += 1;
    }
    expect(outcomes.rebuilt).toBeGreaterThan(rounds / 10);
    if (process.env["FLIP_ROUNDS"] !== undefined) console.log(where, outcomes);
  });

  /** Rows, whatever a flipped letter in their text made of them. */
  async function counted(
    stores: Stores,
  ): Promise<{ readonly sessions: number; readonly messages: number; readonly costs: number }> {
    const list = await stores.sessions.list();
    let messages = 0;
    for (const { sessionId } of list) messages += (await stores.sessions.load(sessionId)).messages.length;
    const costs = (await stores.costs.sums("run")).reduce((sum, { requests }) => sum + requests, 0);
    return { sessions: list.length, messages, costs };
  }
});
