import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { machineClock } from "../../src/protocol/clock.ts";
import * as promises from "./guarantees.ts";
import { processFixture } from "./process-fixture.ts";
import { type EndedProcess, inParallel } from "./processes.ts";
import { resumeSession } from "./resumed-session.ts";

const { pathOf, start, createFile } = processFixture();

const {
  databaseIntact,
  callsPaired,
  nothingReportedIsLost,
  callsRunOnce,
  modelSeesUnknownOutcomes,
  runsEndOnce,
  eventSeqsUnique,
  requestsRecordedOnce,
  runCostsMatchLedger,
  endsAsWithoutCrash,
} = promises;
const all = [
  databaseIntact,
  callsPaired,
  nothingReportedIsLost,
  callsRunOnce,
  modelSeesUnknownOutcomes,
  runsEndOnce,
  eventSeqsUnique,
  requestsRecordedOnce,
  runCostsMatchLedger,
  endsAsWithoutCrash,
];
const witnessOf = ({ events, reports }: EndedProcess): promises.ObservedOutput => ({
  events,
  reserved: reports.flatMap(({ reserved }) => reserved ?? []),
});

test.each([
  { of: "memory", at: "note: in the middle", signal: "SIGABRT", code: null, word: "heap out of memory" },
  { of: "exception", at: "note: in the middle", signal: null, code: 1, word: "a plugin threw" },
  { of: "rejection", at: "look: before", signal: null, code: 1, word: "a plugin rejected" },
])(
  "a process that dies of $of in a tool has lost nothing that it told as kept",
  { timeout: 60_000 },
  async ({ of, at, signal, code, word }) => {
    const folder = pathOf(of);
    const died = await start(
      "work",
      { folder, die: { at, of } },
      { environment: { NODE_OPTIONS: "--max-old-space-size=64" } },
    ).ended;
    expect([died.code, died.signal]).toEqual([code, signal]);
    expect(died.stderr).toContain(word);
    const finished = await resumeSession(folder);
    expect(all.flatMap((promised) => promised(witnessOf(died), finished))).toEqual([]);
  },
);

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "a process that nobody has taught to end in good order dies of %s as of a kill",
  async (signal) => {
    const folder = pathOf(signal);
    const child = start("work", { folder, hold: { at: "note: in the middle", until: pathOf("never") } });
    await child.until(({ holding }) => holding !== undefined, 2);
    child.kill(signal);
    const died = await child.ended;
    expect(died.signal).toBe(signal);
    const finished = await resumeSession(folder);
    expect(all.flatMap((promised) => promised(witnessOf(died), finished))).toEqual([]);
  },
);

test("a run with a goal has it still when another process goes on with it", async () => {
  const folder = pathOf("goal");
  const child = start("work", { folder, hasGoal: true, hold: { at: "note: in the middle", until: pathOf("never") } });
  await child.until(({ holding }) => holding !== undefined, 2);
  child.kill("SIGKILL");
  const killed = await child.ended;
  const finished = await resumeSession(folder);
  expect(finished.result).toMatchObject({ reason: "goal_accepted", turns: 3 });
  expect(finished.savedEvents.filter(({ type }) => type === "JudgeVerdict").length).toBeGreaterThan(0);
  expect(
    [databaseIntact, callsPaired, nothingReportedIsLost, callsRunOnce, modelSeesUnknownOutcomes, runsEndOnce].flatMap(
      (promised) => promised(witnessOf(killed), finished),
    ),
  ).toEqual([]);
});

test("a process that was stopped, lost its session, and wakes up writes nothing more and ends", {
  timeout: 60_000,
}, async () => {
  const folder = pathOf("stopped");
  const sleeper = start("work", { folder, hold: { at: "note: in the middle", until: pathOf("awake") } });
  await sleeper.until(({ holding }) => holding !== undefined, 2);
  sleeper.kill("SIGSTOP");
  const minuteLater = { ...machineClock, now: () => Date.now() + 61_000 };
  const finished = await resumeSession(folder, { clock: minuteLater }); // its lease has run out, and it may live: its calls are unknown
  createFile(pathOf("awake"));
  sleeper.kill("SIGCONT");
  const awake = await sleeper.ended;
  expect([awake.code, awake.stderr]).toEqual([0, ""]);
  expect(awake.reports.at(-1)?.reason).toMatch(/^internal_error: .*(taken the session over|was not written to)/);
  const later = await resumeSession(folder, { clock: minuteLater });
  expect([later.result, later.after.messages, later.savedEvents, later.rows]).toEqual([
    undefined,
    finished.after.messages,
    finished.savedEvents,
    finished.rows,
  ]);
  const witness = { ...witnessOf(awake), events: awake.events.filter(({ type }) => type !== "RunError") };
  expect(all.flatMap((promised) => promised(witness, finished))).toEqual([]);
});

test("a process that may open few files says so before anything is done, or does all of it", {
  timeout: 60_000,
}, async () => {
  const limits = Array.from({ length: 23 }, (_, n) => n + 18);
  const found = await inParallel(limits, async (openFiles) => {
    const folder = pathOf(`files-${openFiles}`);
    mkdirSync(folder);
    const ended = await start("work", { folder }, { openFiles }).ended;
    const isNodeItself = ended.reports.length === 0 && !ended.stderr.includes("sheepdog.db");
    const isRefused =
      ended.code === 1 && /DatabaseError: The database .*sheepdog\.db (cannot be|could not be) /.test(ended.stderr);
    const outcome =
      ended.reports.at(-1)?.reason ?? (isNodeItself ? "no process" : isRefused ? "refused" : ended.stderr);
    const finished = await resumeSession(folder);
    const broken = [
      databaseIntact,
      callsPaired,
      nothingReportedIsLost,
      runsEndOnce,
      requestsRecordedOnce,
      endsAsWithoutCrash,
    ].flatMap((promised) => promised(witnessOf(ended), finished));
    return { outcome, broken: broken.map((each) => `${openFiles}: ${each}`) };
  });
  expect(found.flatMap(({ broken }) => broken)).toEqual([]);
  expect([...new Set(found.map(({ outcome }) => outcome))].filter((outcome) => outcome !== "no process")).toEqual([
    "refused",
    "answered",
  ]);
});
