import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  bytesIn,
  claimLease,
  makeTestFolder,
  sampleRun,
  saveRuns,
  start,
  type TestFolder,
  writeRunLog,
} from "../../test/sample-runs.ts";
import { exportSession } from "./export-session.ts";
import { memoryStores } from "./memory-stores.ts";
import { type PruneOptions, prune } from "./prune.ts";
import { removeSession } from "./remove-session.ts";
import type { Stores } from "./stores.ts";

const day = 86_400_000;
const now = start + 100 * day;

let folder: TestFolder;
let stores: Stores;
beforeEach(async () => {
  folder = makeTestFolder();
  stores = memoryStores();
  for (const [sessionId, days] of [
    ["ses_old", 0],
    ["ses_mid", 50],
    ["ses_new", 99],
  ] as const) {
    const run = sampleRun(sessionId, `run_${sessionId}`, { at: start + days * day });
    await saveRuns(stores, sessionId, [run]);
    writeRunLog(folder.logDir, run);
  }
});
afterEach(() => folder.remove());

const pruned = (options: Omit<PruneOptions, "stores" | "at" | "logDir">) =>
  prune({ stores, logDir: folder.logDir, at: now, ...options });
const sessionsLeft = async () => (await stores.sessions.list()).map(({ sessionId }) => sessionId);
const logsLeft = () =>
  ["ses_old", "ses_mid", "ses_new"].filter((sessionId) => existsSync(join(folder.logDir, sessionId)));
const names = (removed: readonly { readonly sessionId: string }[]) => removed.map(({ sessionId }) => sessionId);

describe("pruning", () => {
  test("removes nothing without a retention", async () => {
    expect(await pruned({})).toEqual({ isDryRun: false, sessions: [], logs: [], kept: [], bytes: 0, auditRows: 0 });
    expect([await sessionsLeft(), logsLeft()]).toEqual([
      ["ses_new", "ses_mid", "ses_old"],
      ["ses_old", "ses_mid", "ses_new"],
    ]);
  });

  test("by age removes old sessions with their logs, and reports the bytes", async () => {
    const before = bytesIn(folder.logDir);
    const result = await pruned({ sessions: { maxAgeMs: 60 * day } });
    expect(result).toMatchObject({
      sessions: [{ sessionId: "ses_old", why: "age" }],
      logs: [{ sessionId: "ses_old", why: "age" }],
      kept: [],
    });
    expect(await sessionsLeft()).toEqual(["ses_new", "ses_mid"]);
    expect(before - bytesIn(folder.logDir)).toBe(result.logs[0]?.bytes);
    expect(result.bytes).toBe((result.sessions[0]?.bytes ?? 0) + (result.logs[0]?.bytes ?? 0));
    expect((await stores.costs.rows("ses_old")).length).toBe(3); // the ledger keeps its rows
  });

  test("by age removes old logs, but not their sessions", async () => {
    const result = await pruned({ logs: { maxAgeMs: 10 * day } });
    expect([names(result.logs), logsLeft(), (await sessionsLeft()).length]).toEqual([
      ["ses_old", "ses_mid"],
      ["ses_new"],
      3,
    ]);
  });

  test("by size removes the oldest until the rest fits", async () => {
    const each = bytesIn(folder.logDir) / 3;
    const result = await pruned({ logs: { maxBytes: Math.ceil(each * 2) } });
    expect([result.logs.map(({ sessionId, why }) => [sessionId, why]), logsLeft()]).toEqual([
      [["ses_old", "size"]],
      ["ses_mid", "ses_new"],
    ]);
    expect(names((await pruned({ sessions: { maxBytes: 0 } })).sessions)).toEqual(["ses_old", "ses_mid", "ses_new"]);
  });

  test("only reports what it would remove in a dry run", async () => {
    const retentions = { sessions: { maxAgeMs: 60 * day }, logs: { maxAgeMs: 10 * day } };
    const planned = await pruned({ ...retentions, isDryRun: true });
    expect([logsLeft().length, (await sessionsLeft()).length]).toEqual([3, 3]);
    expect(await pruned(retentions)).toEqual({ ...planned, isDryRun: false });
  });

  test("keeps a session and its logs while a process holds it", async () => {
    await claimLease(stores, "ses_old", now);
    const result = await pruned({ sessions: { maxAgeMs: 60 * day }, logs: { maxAgeMs: 60 * day } });
    expect(result).toMatchObject({
      sessions: [],
      logs: [],
      kept: [{ sessionId: "ses_old", why: expect.stringContaining(`process ${process.pid}`) }],
    });
    expect([logsLeft().length, (await sessionsLeft()).length]).toEqual([3, 3]);
  });

  test("removes a session whose holder on another host has not renewed its lease for long", async () => {
    const holder = { id: "proc_x", pid: 7, host: "a container that is gone" };
    await stores.sessions.claim("ses_old", holder, start + day);
    expect(names((await pruned({ sessions: { maxAgeMs: 60 * day } })).sessions)).toEqual(["ses_old"]);
    await stores.sessions.claim("ses_mid", holder, now - 59_999);
    const { sessions, kept } = await pruned({ sessions: { maxAgeMs: 10 * day } });
    expect([sessions, kept]).toEqual([
      [],
      [{ sessionId: "ses_mid", why: "process 7 on a container that is gone works on it" }],
    ]);
  });

  test("keeps the logs of a session that a process claims meanwhile", async () => {
    const { sessions } = stores;
    const list: typeof sessions.list = async () => {
      const summaries = await sessions.list();
      await claimLease(stores, "ses_mid", now);
      return summaries;
    };
    const result = await prune({
      stores: { ...stores, sessions: { ...sessions, list } },
      logDir: folder.logDir,
      at: now,
      logs: { maxAgeMs: 10 * day },
    });
    expect([names(result.logs), result.kept, logsLeft()]).toEqual([
      ["ses_old"],
      [{ sessionId: "ses_mid", why: expect.stringContaining(`process ${process.pid}`) }],
      ["ses_mid", "ses_new"],
    ]);
    expect((await sessions.list()).find(({ sessionId }) => sessionId === "ses_old")?.holder).toBeUndefined();
  });

  test("gives the event loop a turn between sessions", async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await prune({ stores, at: now, sessions: { maxBytes: 0 } });
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(6); // each session was read and removed
  });

  test("keeps a session whose run has not ended, unless unfinished ones are included", async () => {
    const lease = await claimLease(stores, "ses_old", start);
    const { run } = sampleRun("ses_old", "run_waits");
    const { endedAt: _endedAt, reason: _reason, ...waiting } = run;
    await stores.sessions.commit(lease, { at: start, run: { ...waiting, state: "waiting_for_input" } });
    await stores.sessions.release(lease);
    const sessions = { maxAgeMs: 60 * day };
    expect((await pruned({ sessions })).kept).toEqual([
      { sessionId: "ses_old", why: "its last run has not ended, and could be resumed" },
    ]);
    expect(names((await pruned({ sessions, withUnfinished: true })).sessions)).toEqual(["ses_old"]);
  });

  test("keeps the subagents of a session that stays", async () => {
    const run = sampleRun("ses_child", "run_child", { at: start });
    await saveRuns(stores, "ses_child", [run]);
    const claim = await claimLease(stores, "ses_child", start);
    const [last] = (await stores.sessions.load("ses_child")).runs;
    if (last === undefined) throw new Error("Expected a saved run.");
    await stores.sessions.commit(claim, { at: start, run: { ...last, billingSessionId: "ses_old" } });
    await stores.sessions.release(claim);
    await claimLease(stores, "ses_old", now);
    const { sessions, kept } = await pruned({ sessions: { maxAgeMs: 60 * day }, withUnfinished: true });
    expect([names(sessions), names(kept)]).toEqual([[], ["ses_child", "ses_old"]]);
    expect(kept[0]?.why).toMatch(/^it is a subagent's of ses_old: process \d+ on .* works on it$/);
  });

  test("does not touch files that are not logs", async () => {
    const outside = join(folder.dir, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "run_1.jsonl"), "{}\n");
    symlinkSync(outside, join(folder.logDir, "ses_link"));
    symlinkSync(join(outside, "run_1.jsonl"), join(folder.logDir, "ses_old", "run_9.jsonl"));
    writeFileSync(join(folder.logDir, "ses_old", "notes.txt"), "mine");
    await pruned({ logs: { maxBytes: 0 } });
    expect(
      [join(outside, "run_1.jsonl"), join(folder.logDir, "ses_old", "notes.txt"), join(folder.logDir, "ses_link")].map(
        (path) => existsSync(path),
      ),
    ).toEqual([true, true, true]);
    expect(existsSync(join(folder.logDir, "ses_old", "run_ses_old.jsonl"))).toBe(false);
  });

  test("refuses invalid amounts", async () => {
    await expect(pruned({ logs: { maxBytes: -1 } })).rejects.toThrow(
      "Expected maxBytes of logs to be a number from 0 up, got -1.",
    );
    await expect(pruned({ sessions: { maxAgeMs: Number.NaN } })).rejects.toThrow(
      "Expected maxAgeMs of sessions to be a number from 0 up, got NaN.",
    );
  });

  test("does nothing without logs", async () => {
    expect(
      await prune({ stores: memoryStores(), logDir: join(folder.dir, "none"), at: now, logs: { maxBytes: 0 } }),
    ).toMatchObject({ logs: [], bytes: 0 });
  });
});

describe("a session", () => {
  test("is exported as one document that survives JSON", async () => {
    const sample = sampleRun("ses_mid", "run_ses_mid", { at: start + 50 * day });
    const document = await exportSession(stores, "ses_mid", now);
    expect(document).toMatchObject({
      schemaVersion: 1,
      exportedAt: now,
      session: {
        sessionId: "ses_mid",
        createdAt: start + 50 * day,
        unansweredCalls: [],
        lastSeq: sample.events.length,
      },
      runs: [sample.run],
      messages: sample.messages,
      events: sample.events,
    });
    expect(document?.costs.map(({ state }) => state)).toEqual(["settled", "settled", "settled"]);
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test("that is unknown is not exported", async () => {
    expect(await exportSession(stores, "ses_none", now)).toBeUndefined();
  });

  test("is removed with its logs", async () => {
    const before = bytesIn(folder.logDir);
    const { logBytes } = await removeSession(stores, { sessionId: "ses_mid", logDir: folder.logDir, at: now });
    expect([before - bytesIn(folder.logDir), await exportSession(stores, "ses_mid", now), logsLeft()]).toEqual([
      logBytes,
      undefined,
      ["ses_old", "ses_new"],
    ]);
  });

  test("that a process holds is not removed, nor are its logs", async () => {
    await claimLease(stores, "ses_mid", now);
    await expect(removeSession(stores, { sessionId: "ses_mid", logDir: folder.logDir, at: now })).rejects.toThrow(
      "is in use by process",
    );
    expect(logsLeft().length).toBe(3);
  });

  test("whose id would lead out of the log folder removes no logs", async () => {
    const { logBytes } = await removeSession(stores, { sessionId: "../logs", logDir: folder.logDir, at: now });
    expect([logBytes, logsLeft().length]).toEqual([0, 3]);
  });
});
