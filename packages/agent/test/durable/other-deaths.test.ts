import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { machineClock } from "../../src/protocol/clock.ts";
import { finish } from "./finish.ts";
import { type Ended, inParallel } from "./processes.ts";
import * as promises from "./promises.ts";
import { workplace } from "./workplace.ts";

const { place, start, make } = workplace();

const {
  whole,
  paired,
  nothingLost,
  onceEach,
  toldAsUnknown,
  oneEndEach,
  numberedOnce,
  bookedOnce,
  runsAddUp,
  sameEnd,
} = promises;
const all = [
  whole,
  paired,
  nothingLost,
  onceEach,
  toldAsUnknown,
  oneEndEach,
  numberedOnce,
  bookedOnce,
  runsAddUp,
  sameEnd,
];
const witnessOf = ({ events, told }: Ended): promises.Witness => ({
  events,
  reserved: told.flatMap(({ reserved }) => reserved ?? []),
});

test.each([
  { of: "memory", at: "note: in the middle", signal: "SIGABRT", code: null, word: "heap out of memory" },
  { of: "exception", at: "note: in the middle", signal: null, code: 1, word: "a plugin threw" },
  { of: "rejection", at: "look: before", signal: null, code: 1, word: "a plugin rejected" },
])(
  "a process that dies of $of in a tool has lost nothing that it told as kept",
  { timeout: 60_000 },
  async ({ of, at, signal, code, word }) => {
    const folder = place(of);
    const died = await start(
      "work",
      { folder, die: { at, of } },
      { environment: { NODE_OPTIONS: "--max-old-space-size=64" } },
    ).ended;
    expect([died.code, died.signal]).toEqual([code, signal]);
    expect(died.stderr).toContain(word);
    const finished = await finish(folder);
    expect(all.flatMap((promised) => promised(witnessOf(died), finished))).toEqual([]);
  },
);

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "a process that nobody has taught to end in good order dies of %s as of a kill",
  async (signal) => {
    const folder = place(signal);
    const child = start("work", { folder, hold: { at: "note: in the middle", until: place("never") } });
    await child.until(({ holding }) => holding !== undefined, 2);
    child.kill(signal);
    const died = await child.ended;
    expect(died.signal).toBe(signal);
    const finished = await finish(folder);
    expect(all.flatMap((promised) => promised(witnessOf(died), finished))).toEqual([]);
  },
);

test("a run with a goal has it still when another process goes on with it", async () => {
  const folder = place("goal");
  const child = start("work", { folder, hasGoal: true, hold: { at: "note: in the middle", until: place("never") } });
  await child.until(({ holding }) => holding !== undefined, 2);
  child.kill("SIGKILL");
  const killed = await child.ended;
  const finished = await finish(folder);
  expect(finished.result).toMatchObject({ reason: "goal_accepted", turns: 3 });
  expect(finished.kept.filter(({ type }) => type === "JudgeVerdict").length).toBeGreaterThan(0);
  expect(
    [whole, paired, nothingLost, onceEach, toldAsUnknown, oneEndEach].flatMap((promised) =>
      promised(witnessOf(killed), finished),
    ),
  ).toEqual([]);
});

test("a process that was stopped, lost its session, and wakes up writes nothing more and ends", {
  timeout: 60_000,
}, async () => {
  const folder = place("stopped");
  const sleeper = start("work", { folder, hold: { at: "note: in the middle", until: place("awake") } });
  await sleeper.until(({ holding }) => holding !== undefined, 2);
  sleeper.kill("SIGSTOP");
  const minuteLater = { ...machineClock, now: () => Date.now() + 61_000 };
  const finished = await finish(folder, { clock: minuteLater }); // its lease has run out, and it may live: its calls are unknown
  make(place("awake"));
  sleeper.kill("SIGCONT");
  const awake = await sleeper.ended;
  expect([awake.code, awake.stderr]).toEqual([0, ""]);
  expect(awake.told.at(-1)?.reason).toMatch(/^internal_error: .*(taken the session over|was not written to)/);
  const later = await finish(folder, { clock: minuteLater });
  expect([later.result, later.after.messages, later.kept, later.rows]).toEqual([
    undefined,
    finished.after.messages,
    finished.kept,
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
    const folder = place(`files-${openFiles}`);
    mkdirSync(folder);
    const ended = await start("work", { folder }, { openFiles }).ended;
    const isNodeItself = ended.told.length === 0 && !ended.stderr.includes("sheepdog.db");
    const isRefused =
      ended.code === 1 && /DatabaseError: The database .*sheepdog\.db (cannot be|could not be) /.test(ended.stderr);
    const outcome = ended.told.at(-1)?.reason ?? (isNodeItself ? "no process" : isRefused ? "refused" : ended.stderr);
    const finished = await finish(folder);
    const broken = [whole, paired, nothingLost, oneEndEach, bookedOnce, sameEnd].flatMap((promised) =>
      promised(witnessOf(ended), finished),
    );
    return { outcome, broken: broken.map((each) => `${openFiles}: ${each}`) };
  });
  expect(found.flatMap(({ broken }) => broken)).toEqual([]);
  expect([...new Set(found.map(({ outcome }) => outcome))].filter((outcome) => outcome !== "no process")).toEqual([
    "refused",
    "answered",
  ]);
});
