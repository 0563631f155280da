import { chmodSync, mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claimLease, makeTestFolder, sampleRun, saveRuns, start, writeRunLog } from "../../test/sample-runs.ts";
import { createRunLog } from "../logs/run-log.ts";
import { thisProcess } from "./holder.ts";
import { type RestoreReport, restoreFromLogs } from "./log-restore.ts";
import { memoryStores } from "./memory-stores.ts";
import { sqliteStores } from "./sqlite/sqlite-stores.ts";
import type { Stores } from "./stores.ts";

const at = start + 86_400_000;
const first = sampleRun("ses_a", "run_1", { turns: 2 });
const second = sampleRun("ses_a", "run_2", { turns: 2, at: start + 60_000, seq: first.events.length });
const costOfRun = 8_000_000;

let place: ReturnType<typeof makeTestFolder>;
let stores: Stores;
beforeEach(() => {
  place = makeTestFolder();
  stores = memoryStores();
});
afterEach(() => place.remove());

const restore = (to: Stores = stores): Promise<RestoreReport> =>
  restoreFromLogs({ stores: to, logDir: place.logDir, at, holder: thisProcess() });
const roles = async () =>
  (await stores.sessions.load("ses_a")).messages.map((message) =>
    message.role === "user" ? message.origin : message.role,
  );
const spent = async () => (await stores.costs.totals("ses_a", start)).month;

/** What a database has that has lost its last commits. */
async function keepPart(commits: number): Promise<void> {
  const lease = await claimLease(stores, "ses_a", start);
  for (const commit of first.commits.slice(0, commits)) await stores.sessions.commit(lease, commit);
  await stores.sessions.release(lease);
}

test("processes that start together write a conversation once", async () => {
  for (const run of [first, second]) writeRunLog(place.logDir, run);
  const both = [await sqliteStores({ path: place.path }), await sqliteStores({ path: place.path })];
  const restored = await Promise.all(both.map((one) => restore(one)));
  expect(restored.map(({ runs, lost }) => [runs, lost]).sort()).toEqual([
    [0, []],
    [2, []],
  ]);
  const { messages, runs } = await (both[0] as Stores).sessions.load("ses_a");
  expect([new Set(messages.map(({ id }) => id)).size, runs]).toEqual([messages.length, [first.run, second.run]]);
  for (const one of both) await one.close();
});

test("while a conversation of long ago is written, nobody else can claim it", async () => {
  for (const run of [first, second]) writeRunLog(place.logDir, run);
  const { sessions } = stores;
  const refused: boolean[] = [];
  const watched: Stores = {
    ...stores,
    sessions: {
      ...sessions,
      async renew(lease, time) {
        const isOurs = await sessions.renew(lease, time);
        refused.push(!(await sessions.claim("ses_a", thisProcess(), at)).ok);
        return isOurs;
      },
    },
  };
  expect((await restore(watched)).runs).toBe(2);
  expect(refused).toEqual([true, true, true]);
  expect((await sessions.list())[0]).toMatchObject({ createdAt: start, updatedAt: second.run.endedAt });
});

test("one who is killed in between leaves nothing that the next one does not add", async () => {
  for (const run of [first, second]) writeRunLog(place.logDir, run);
  const { sessions } = stores;
  let commits = 0;
  const commit: typeof sessions.commit = async (...given) => {
    commits += 1;
    if (commits > 1) throw new Error("Killed.");
    return sessions.commit(...given);
  };
  expect((await restore({ ...stores, sessions: { ...sessions, commit } })).lost).toEqual([
    "the logs of session ses_a: Killed.",
  ]);
  expect((await restore()).runs).toBe(1);
  expect([
    (await sessions.load("ses_a")).runs,
    (await roles()).filter((role) => role === "person"),
    await spent(),
  ]).toEqual([[first.run, second.run], ["person", "person"], 2 * costOfRun]);
});

describe("a run that is kept without its end", () => {
  test("has it from its log, with what is missing of its messages and its cost", async () => {
    await keepPart(2); // the prompt and the first turn
    writeRunLog(place.logDir, first);
    expect(await restore()).toMatchObject({ sessions: 0, runs: 1, lost: [] });
    expect((await stores.sessions.load("ses_a")).runs).toEqual([first.run]);
    expect(await roles()).toEqual(["person", "assistant", "tool", "assistant", "tool", "assistant", "automatic"]);
    expect(await spent()).toBe(costOfRun);
    expect(await stores.events.after("ses_a", 0)).toEqual(first.events);
    expect(await restore()).toMatchObject({ runs: 0, messages: 0, costs: 0 });
  });

  test("is left as it is where its log has no end: it can be resumed", async () => {
    await keepPart(2);
    writeRunLog(place.logDir, { ...first, events: first.events.slice(0, -1) });
    const before = await stores.sessions.load("ses_a");
    expect(await restore()).toMatchObject({ runs: 0, messages: 0 });
    const { runs, messages } = await stores.sessions.load("ses_a");
    expect([runs, messages]).toEqual([before.runs, before.messages]);
    expect(await spent()).toBe(costOfRun); // that was paid
  });

  test("is left as it is where it broke, and could be told without being kept", async () => {
    await keepPart(2);
    const end = first.events.at(-1);
    if (end?.type !== "RunComplete") throw new Error("Expected the end of a run.");
    const broken = {
      ...end,
      type: "RunError",
      result: { ...end.result, state: "error", reason: "internal_error" },
    } as const;
    writeRunLog(place.logDir, { ...first, events: [...first.events.slice(0, -1), broken] });
    await restore();
    expect((await stores.sessions.load("ses_a")).runs[0]?.state).toBe("running");
  });

  test("and whose last call is open has the result of the call", async () => {
    const lease = await claimLease(stores, "ses_a", start);
    const [begun, turn] = first.commits;
    if (begun === undefined || turn === undefined) throw new Error("Expected a turn.");
    const unansweredCalls = [{ callId: "run_1-call-1", tool: "read", state: "started" }] as const;
    await stores.sessions.commit(lease, {
      ...begun,
      messages: [...(begun.messages ?? []), ...(turn.messages ?? []).slice(0, 1)],
      unansweredCalls,
    });
    await stores.sessions.release(lease);
    writeRunLog(place.logDir, first);
    await restore();
    const { messages, unansweredCalls: open } = await stores.sessions.load("ses_a");
    expect(messages.flatMap((message) => (message.role === "tool" ? [[message.callId, message.status]] : []))).toEqual([
      ["run_1-call-1", "ok"],
      ["run_1-call-2", "ok"],
    ]);
    expect(open).toEqual([]);
  });
});

describe("a log that cannot be used", () => {
  test("for the numbers in it keeps nobody from the others", async () => {
    const file = createRunLog({ dir: place.logDir, sessionId: "ses_0", runId: "run_1", level: 3 });
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
    utimesSync(join(place.logDir, "ses_0", "run_1.jsonl"), start / 1_000, start / 1_000);
    writeRunLog(place.logDir, first);
    expect(await restore()).toMatchObject({ runs: 1, lost: ["run run_1 of session ses_0: its log tells nothing"] });
  });

  test.skipIf(process.getuid?.() === 0)(
    "for it is another user's is told, and keeps nobody from the others",
    async () => {
      mkdirSync(join(place.logDir, "ses_0"), { recursive: true });
      chmodSync(join(place.logDir, "ses_0"), 0);
      writeRunLog(place.logDir, first);
      expect(await restore()).toMatchObject({
        runs: 1,
        lost: [expect.stringContaining("the logs of session ses_0: EACCES")],
      });
      chmodSync(join(place.logDir, "ses_0"), 0o700);
    },
  );

  test("for the store refuses what is in it is told, and keeps nobody from the others", async () => {
    const other = sampleRun("ses_b", "run_b");
    for (const run of [first, other]) writeRunLog(place.logDir, run);
    const { sessions } = stores;
    const claim: typeof sessions.claim = async (sessionId, ...rest) => {
      if (sessionId === "ses_a") throw new Error("No.");
      return sessions.claim(sessionId, ...rest);
    };
    expect(await restore({ ...stores, sessions: { ...sessions, claim } })).toMatchObject({
      runs: 1,
      lost: ["the logs of session ses_a: No."],
    });
  });
});

test("a session whose holder is of another host and long silent has its runs back", async () => {
  await saveRuns(stores, "ses_a", [first]);
  const holder = { id: "proc_x", pid: 7, host: "a container that is gone" };
  await stores.sessions.claim("ses_a", holder, start + 30_000);
  writeRunLog(place.logDir, second);
  expect((await restore()).runs).toBe(1);
});
