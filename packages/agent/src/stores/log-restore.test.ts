import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  claimLease,
  makeTestFolder,
  sampleRun,
  saveRuns,
  start,
  type TestFolder,
  writeRunLog,
} from "../../test/sample-runs.ts";
import { createRunLog } from "../logs/run-log.ts";
import { thisProcess } from "./holder.ts";
import { type RestoreReport, restoreFromLogs } from "./log-restore.ts";
import { memoryStores } from "./memory-stores.ts";
import type { Stores } from "./stores.ts";

const at = start + 86_400_000;
const first = sampleRun("ses_a", "run_1", { turns: 2 });
const second = sampleRun("ses_a", "run_2", { turns: 2, at: start + 60_000, seq: first.events.length });
const costOfRun = 8_000_000;

let folder: TestFolder;
let stores: Stores;
beforeEach(() => {
  folder = makeTestFolder();
  stores = memoryStores();
});
afterEach(() => folder.remove());

const restore = (target: Stores = stores): Promise<RestoreReport> =>
  restoreFromLogs({
    stores: target,
    logDir: folder.logDir,
    at,
    holder: thisProcess(),
    incomplete: new Set(),
  });
const roles = async () =>
  (await stores.sessions.load("ses_a")).messages.map((message) =>
    message.role === "user" ? message.origin : message.role,
  );
const spent = async () => (await stores.costs.totals("ses_a", start)).month;
const everything = async () => ({
  list: await stores.sessions.list(),
  session: await stores.sessions.load("ses_a"),
  events: await stores.events.after("ses_a", 0),
  costs: await stores.costs.rows("ses_a"),
});

/** Saves the first commits of a run, as after a loss of the last ones. */
async function saveFirstCommits(count: number): Promise<void> {
  const lease = await claimLease(stores, "ses_a", start);
  for (const commit of first.commits.slice(0, count)) await stores.sessions.commit(lease, commit);
  await stores.sessions.release(lease);
}

test("runs of a missing session come back with their times, messages, events and costs", async () => {
  for (const run of [first, second]) writeRunLog(folder.logDir, run);
  expect(await restore()).toEqual({ runs: 2, lost: [] });
  const { messages, runs } = await stores.sessions.load("ses_a");
  expect([new Set(messages.map(({ id }) => id)).size, runs]).toEqual([messages.length, [first.run, second.run]]);
  expect((await roles()).filter((role) => role === "person")).toEqual(["person", "person"]);
  expect((await stores.sessions.list())[0]).toMatchObject({ createdAt: start, updatedAt: second.run.endedAt });
  expect(await stores.events.after("ses_a", 0)).toEqual([...first.events, ...second.events]);
  expect(await spent()).toBe(2 * costOfRun);
});

test("a second restore adds nothing", async () => {
  for (const run of [first, second]) writeRunLog(folder.logDir, run);
  await restore();
  const before = await everything();
  expect(await restore()).toEqual({ runs: 0, lost: [] });
  expect(await everything()).toEqual(before);
});

test("a run that is missing after a saved one is inserted, and the saved one stays", async () => {
  await saveRuns(stores, "ses_a", [second]);
  for (const run of [first, second]) writeRunLog(folder.logDir, run);
  expect((await restore()).runs).toBe(1);
  const { messages } = await stores.sessions.load("ses_a");
  const prompts = messages.flatMap((message) =>
    message.role === "user" && message.origin === "person" ? [message.text] : [],
  );
  expect(prompts).toEqual(["Do run_1", "Do run_2"]);
  expect(messages).toEqual(expect.arrayContaining([...second.messages]));
});

describe("a run that is saved without its end", () => {
  test("gets its end from its log, with the missing messages and costs", async () => {
    await saveFirstCommits(2); // the prompt and the first turn
    writeRunLog(folder.logDir, first);
    expect(await restore()).toEqual({ runs: 1, lost: [] });
    expect((await stores.sessions.load("ses_a")).runs).toEqual([first.run]);
    expect(await roles()).toEqual(["person", "assistant", "tool", "assistant", "tool", "assistant", "automatic"]);
    expect(await spent()).toBe(costOfRun);
    expect(await stores.events.after("ses_a", 0)).toEqual(first.events);
    const before = await everything();
    expect(await restore()).toEqual({ runs: 0, lost: [] });
    expect(await everything()).toEqual(before);
  });

  test("stays unfinished when its log has no end: it can be resumed", async () => {
    await saveFirstCommits(2);
    writeRunLog(folder.logDir, { ...first, events: first.events.slice(0, -1) });
    const before = await stores.sessions.load("ses_a");
    expect((await restore()).runs).toBe(0);
    const { runs, messages } = await stores.sessions.load("ses_a");
    expect([runs, messages]).toEqual([before.runs, before.messages]);
    expect(await spent()).toBe(costOfRun); // the requests of the log were paid
  });

  test("stays unfinished when its log ends with an internal error: it can be resumed", async () => {
    await saveFirstCommits(2);
    const end = first.events.at(-1);
    if (end?.type !== "RunComplete") throw new Error("Expected the end of a run.");
    const broken = {
      ...end,
      type: "RunError",
      result: { ...end.result, state: "error", reason: "internal_error" },
    } as const;
    writeRunLog(folder.logDir, { ...first, events: [...first.events.slice(0, -1), broken] });
    await restore();
    expect((await stores.sessions.load("ses_a")).runs[0]?.state).toBe("running");
  });

  test("and with an unanswered call gets the result of the call", async () => {
    const lease = await claimLease(stores, "ses_a", start);
    const [beginning, turn] = first.commits;
    if (beginning === undefined || turn === undefined) throw new Error("Expected a turn.");
    await stores.sessions.commit(lease, {
      ...beginning,
      messages: [...(beginning.messages ?? []), ...(turn.messages ?? []).slice(0, 1)],
      unansweredCalls: [{ callId: "run_1-call-1", tool: "read", state: "started" }],
    });
    await stores.sessions.release(lease);
    writeRunLog(folder.logDir, first);
    await restore();
    const { messages, unansweredCalls } = await stores.sessions.load("ses_a");
    expect(messages.flatMap((message) => (message.role === "tool" ? [[message.callId, message.status]] : []))).toEqual([
      ["run_1-call-1", "ok"],
      ["run_1-call-2", "ok"],
    ]);
    expect(unansweredCalls).toEqual([]);
  });
});

describe("a log that cannot be used is reported, and the others are restored", () => {
  test("when its sequence numbers are invalid", async () => {
    const file = createRunLog({ dir: folder.logDir, sessionId: "ses_0", runId: "run_1", level: 3 });
    file.write({
      type: "RunStarted",
      severity: "info",
      sessionId: "ses_0",
      runId: "run_1",
      seq: 2 ** 30,
      at: start,
      prompt: "x",
    });
    file.close();
    writeRunLog(folder.logDir, first);
    expect(await restore()).toEqual({
      runs: 1,
      lost: ["run run_1 of session ses_0: its log is empty or cannot be used"],
    });
  });

  test.skipIf(process.getuid?.() === 0)("when it belongs to another user", async () => {
    mkdirSync(join(folder.logDir, "ses_0"), { recursive: true });
    chmodSync(join(folder.logDir, "ses_0"), 0);
    writeRunLog(folder.logDir, first);
    expect(await restore()).toEqual({
      runs: 1,
      lost: [expect.stringContaining("the logs of session ses_0: EACCES")],
    });
    chmodSync(join(folder.logDir, "ses_0"), 0o700);
  });

  test("when the store refuses its session", async () => {
    const other = sampleRun("ses_b", "run_b");
    for (const run of [first, other]) writeRunLog(folder.logDir, run);
    const { sessions } = stores;
    const claim: typeof sessions.claim = async (sessionId, ...rest) => {
      if (sessionId === "ses_a") throw new Error("No.");
      return sessions.claim(sessionId, ...rest);
    };
    expect(await restore({ ...stores, sessions: { ...sessions, claim } })).toEqual({
      runs: 1,
      lost: ["the logs of session ses_a: No."],
    });
  });
});
