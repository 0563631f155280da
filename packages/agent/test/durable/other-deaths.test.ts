import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { machineClock } from "../../src/protocol/clock.ts";
import * as guarantees from "./guarantees.ts";
import { processFixture } from "./process-fixture.ts";
import { type EndedProcess, inParallel } from "./processes.ts";
import { resumeSession } from "./resumed-session.ts";

const { pathOf, start, createFile } = processFixture();

const all = [...guarantees.afterEveryDeath, guarantees.endsAsWithoutCrash];
const outputOf = ({ events, reports }: EndedProcess): guarantees.ObservedOutput => ({
  events,
  reserved: reports.flatMap(({ reserved }) => reserved ?? []),
});

test.each([
  { of: "memory", at: "note: in the middle", signal: "SIGABRT", code: null, word: "heap out of memory" },
  { of: "exception", at: "note: in the middle", signal: null, code: 1, word: "a plugin threw" },
  { of: "rejection", at: "look: before", signal: null, code: 1, word: "a plugin rejected" },
])(
  "a process that dies of $of in a tool loses nothing that it reported as saved",
  { timeout: 60_000 },
  async ({ of, at, signal, code, word }) => {
    const folder = pathOf(of);
    const died = await start(
      "run",
      { folder, die: { at, of } },
      { environment: { NODE_OPTIONS: "--max-old-space-size=64" } },
    ).ended;
    expect([died.code, died.signal]).toEqual([code, signal]);
    expect(died.stderr).toContain(word);
    const resumed = await resumeSession(folder);
    expect(all.flatMap((guarantee) => guarantee(outputOf(died), resumed))).toEqual([]);
  },
);

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "a process without a signal handler survives %s like a kill",
  async (signal) => {
    const folder = pathOf(signal);
    const child = start("run", { folder, hold: { at: "note: in the middle", until: pathOf("never") } });
    await child.until(({ holding }) => holding !== undefined, 2);
    child.kill(signal);
    const died = await child.ended;
    expect(died.signal).toBe(signal);
    const resumed = await resumeSession(folder);
    expect(all.flatMap((guarantee) => guarantee(outputOf(died), resumed))).toEqual([]);
  },
);

test("a run with a goal keeps it when another process resumes it", async () => {
  const folder = pathOf("goal");
  const child = start("run", { folder, hasGoal: true, hold: { at: "note: in the middle", until: pathOf("never") } });
  await child.until(({ holding }) => holding !== undefined, 2);
  child.kill("SIGKILL");
  const killed = await child.ended;
  const resumed = await resumeSession(folder);
  expect(resumed.result).toMatchObject({ reason: "goal_accepted", turns: 3 });
  expect(resumed.savedEvents.filter(({ type }) => type === "JudgeVerdict").length).toBeGreaterThan(0);
  expect(
    [
      guarantees.databaseIntact,
      guarantees.callsPaired,
      guarantees.nothingReportedIsLost,
      guarantees.callsRunOnce,
      guarantees.modelSeesUnknownOutcomes,
      guarantees.runsEndOnce,
    ].flatMap((guarantee) => guarantee(outputOf(killed), resumed)),
  ).toEqual([]);
});

test("a stopped process that lost its session writes nothing after it continues, and ends", {
  timeout: 60_000,
}, async () => {
  const folder = pathOf("stopped");
  const stopped = start("run", { folder, hold: { at: "note: in the middle", until: pathOf("awake") } });
  await stopped.until(({ holding }) => holding !== undefined, 2);
  stopped.kill("SIGSTOP");
  const minuteLater = { ...machineClock, now: () => Date.now() + 61_000 };
  // Its lease has expired, so its calls have an unknown outcome.
  const resumed = await resumeSession(folder, { clock: minuteLater });
  createFile(pathOf("awake"));
  stopped.kill("SIGCONT");
  const continued = await stopped.ended;
  expect([continued.code, continued.stderr]).toEqual([0, ""]);
  expect(continued.reports.at(-1)?.reason).toMatch(/^internal_error: .*(taken the session over|was not written to)/);
  const later = await resumeSession(folder, { clock: minuteLater });
  expect([later.result, later.after.messages, later.savedEvents, later.rows]).toEqual([
    undefined,
    resumed.after.messages,
    resumed.savedEvents,
    resumed.rows,
  ]);
  const observed = { ...outputOf(continued), events: continued.events.filter(({ type }) => type !== "RunError") };
  expect(all.flatMap((guarantee) => guarantee(observed, resumed))).toEqual([]);
});

test("a process with few file descriptors reports it before any side effect, or finishes the run", {
  timeout: 60_000,
}, async () => {
  const limits = Array.from({ length: 23 }, (_, n) => n + 18);
  const found = await inParallel(limits, async (openFiles) => {
    const folder = pathOf(`files-${openFiles}`);
    mkdirSync(folder);
    const ended = await start("run", { folder }, { openFiles }).ended;
    const isNodeItself = ended.reports.length === 0 && !ended.stderr.includes("sheepdog.db");
    const isRefused =
      ended.code === 1 && /DatabaseError: The database .*sheepdog\.db (cannot be|could not be) /.test(ended.stderr);
    const outcome =
      ended.reports.at(-1)?.reason ?? (isNodeItself ? "no process" : isRefused ? "refused" : ended.stderr);
    const resumed = await resumeSession(folder);
    const broken = [
      guarantees.databaseIntact,
      guarantees.callsPaired,
      guarantees.nothingReportedIsLost,
      guarantees.runsEndOnce,
      guarantees.requestsRecordedOnce,
      guarantees.endsAsWithoutCrash,
    ].flatMap((guarantee) => guarantee(outputOf(ended), resumed));
    return { outcome, broken: broken.map((each) => `${openFiles}: ${each}`) };
  });
  expect(found.flatMap(({ broken }) => broken)).toEqual([]);
  expect([...new Set(found.map(({ outcome }) => outcome))].filter((outcome) => outcome !== "no process")).toEqual([
    "refused",
    "answered",
  ]);
});
