import { cpSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Finished, finish } from "./finish.ts";
import { effectsIn } from "./note-tools.ts";
import { type Ended, inParallel } from "./processes.ts";
import * as promises from "./promises.ts";
import { effectsFolder, openScenario, session } from "./scenario.ts";
import { workplace } from "./workplace.ts";

const { place, start } = workplace();

/** Goes on with a session and says the same to every question; which calls it was asked about. */
async function goOn(
  folder: string,
  isAllowed: boolean,
): Promise<{ readonly asked: readonly string[]; readonly finished: Finished }> {
  const asked: string[] = [];
  const approve = async ({ id }: { readonly id: string }) => {
    expect(effectsIn(effectsFolder(folder), session).get(id) ?? 0).toBe(0); // not run before somebody said yes
    asked.push(id);
    return { isAllowed };
  };
  return { finished: await finish(folder, { approve }), asked };
}

const witnessOf = (...ended: readonly Ended[]): promises.Witness => ({
  events: ended.flatMap(({ events }) => events),
  reserved: ended.flatMap(({ told }) => told.flatMap(({ reserved }) => reserved ?? [])),
});

const all = [
  promises.whole,
  promises.paired,
  promises.nothingLost,
  promises.onceEach,
  promises.oneEndEach,
  promises.bookedOnce,
  promises.sameEnd,
];
const statuses = ({ after }: Finished) =>
  after.messages.flatMap((message) => (message.role === "tool" ? [message.status] : []));

/** A process that was killed while a person was asked about its first call. */
async function killedWhileAsking(folder: string): Promise<Ended> {
  const child = start("work", { folder, isAsking: true, hold: { at: "approve: before", until: place("never") } });
  await child.until(({ holding }) => holding !== undefined);
  child.kill("SIGKILL");
  return child.ended;
}

const askedBy = ({ told }: Ended) => told.flatMap(({ asked }) => (typeof asked === "string" ? [asked] : []));

describe("a process that is killed while a person is asked about a call", () => {
  test("has not run it; the next one asks about the same call again, and runs it once when it may", async () => {
    const folder = place("allowed");
    const killed = await killedWhileAsking(folder);
    expect(askedBy(killed)).toHaveLength(1);
    expect([...effectsIn(effectsFolder(folder), session)]).toEqual([]);

    const { runtime } = await openScenario(folder);
    const { unansweredCalls, messages } = await runtime.stores.sessions.load(session);
    expect(unansweredCalls).toEqual([{ callId: askedBy(killed)[0], tool: "note", state: "awaiting-approval" }]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]); // nothing was put in place of its result
    await runtime.stores.close();

    const { asked, finished } = await goOn(folder, true);
    expect(asked.slice(0, 2)).toEqual(
      finished.before.messages.flatMap((message) =>
        message.role === "assistant" ? message.parts.flatMap((part) => (part.type === "call" ? [part.id] : [])) : [],
      ),
    );
    expect(asked[0]).toBe(askedBy(killed)[0]);
    expect(asked).toHaveLength(3);
    expect(statuses(finished)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(finished.scenario.requests.map(({ text }) => text.includes("Outcome unknown"))).toEqual([false, false]);
    expect(all.flatMap((promised) => promised(witnessOf(killed), finished))).toEqual([]);
  });

  test("has the next one run nothing where the person says no", async () => {
    const folder = place("denied");
    const killed = await killedWhileAsking(folder);
    const { asked, finished } = await goOn(folder, false);
    expect(asked[0]).toBe(askedBy(killed)[0]);
    expect([...finished.effects]).toEqual([]);
    expect(statuses(finished)).toEqual(["denied", "denied", "ok", "denied"]);
    expect(
      [promises.whole, promises.paired, promises.oneEndEach].flatMap((promised) =>
        promised(witnessOf(killed), finished),
      ),
    ).toEqual([]);
  });

  test("may be killed again while the next one asks: nothing is lost, and no number is given twice", async () => {
    const folder = place("again");
    const first = await killedWhileAsking(folder);
    const second = await killedWhileAsking(folder);
    const third = await killedWhileAsking(folder);
    expect([askedBy(second), askedBy(third)]).toEqual([askedBy(first), askedBy(first)]);
    const { finished } = await goOn(folder, true);
    expect(statuses(finished)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(
      [...all, promises.numberedOnce].flatMap((promised) => promised(witnessOf(first, second, third), finished)),
    ).toEqual([]);
  });
});

test("a process killed at any step around the questions of a turn has run nothing twice, and nothing unasked", {
  timeout: 120_000,
}, async () => {
  const { told } = await start("work", { folder: place("names"), isAsking: true, isNaming: true }).ended;
  const names = told.flatMap(({ passed, at }) =>
    typeof passed === "string" && typeof at === "number" ? [{ passed, at }] : [],
  );
  const from = names.find(({ passed }) => passed === "gate: before")?.at ?? 0;
  const to = names.find(({ passed }) => passed === "event: TurnComplete")?.at ?? 0;
  expect(to - from).toBeGreaterThan(20);
  const found = await inParallel(
    Array.from({ length: to - from + 1 }, (_, n) => from + n),
    async (killAt) => {
      const folder = place(`step-${killAt}`);
      const killed = await start("work", { folder, isAsking: true, killAt }).ended;
      cpSync(folder, `${folder}-second`, { recursive: true });
      const step = `${killAt} ${killed.told.at(-1)?.killedAt}`;
      const { finished } = await goOn(folder, true);
      const broken = [...all, promises.toldAsUnknown].flatMap((promised) => promised(witnessOf(killed), finished));
      const no = await goOn(`${folder}-second`, false);
      const unasked = [...no.finished.effects.keys()].filter((callId) => !askedBy(killed).includes(callId));
      return [...broken, ...unasked.map((callId) => `${callId} was run unasked`)].map((each) => `${step}: ${each}`);
    },
  );
  expect(found.flat()).toEqual([]);
});
