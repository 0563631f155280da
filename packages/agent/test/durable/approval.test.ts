import { cpSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as promises from "./guarantees.ts";
import { effectsIn } from "./note-tools.ts";
import { processFixture } from "./process-fixture.ts";
import { type EndedProcess, inParallel } from "./processes.ts";
import { type ResumedSession, resumeSession } from "./resumed-session.ts";
import { effectsFolder, openScenario, session } from "./scenario.ts";

const { pathOf, start } = processFixture();

/** Goes on with a session and says the same to every question; which calls it was asked about. */
async function goOn(
  folder: string,
  isAllowed: boolean,
): Promise<{ readonly asked: readonly string[]; readonly finished: ResumedSession }> {
  const asked: string[] = [];
  const approve = async ({ id }: { readonly id: string }) => {
    expect(effectsIn(effectsFolder(folder), session).get(id) ?? 0).toBe(0); // not run before somebody said yes
    asked.push(id);
    return { isAllowed };
  };
  return { finished: await resumeSession(folder, { approve }), asked };
}

const witnessOf = (...ended: readonly EndedProcess[]): promises.ObservedOutput => ({
  events: ended.flatMap(({ events }) => events),
  reserved: ended.flatMap(({ reports }) => reports.flatMap(({ reserved }) => reserved ?? [])),
});

const all = [
  promises.databaseIntact,
  promises.callsPaired,
  promises.nothingReportedIsLost,
  promises.callsRunOnce,
  promises.runsEndOnce,
  promises.requestsRecordedOnce,
  promises.endsAsWithoutCrash,
];
const statuses = ({ after }: ResumedSession) =>
  after.messages.flatMap((message) => (message.role === "tool" ? [message.status] : []));

/** A process that was killed while a person was asked about its first call. */
async function killedWhileAsking(folder: string): Promise<EndedProcess> {
  const child = start("work", { folder, isAsking: true, hold: { at: "approve: before", until: pathOf("never") } });
  await child.until(({ holding }) => holding !== undefined);
  child.kill("SIGKILL");
  return child.ended;
}

const askedBy = ({ reports }: EndedProcess) =>
  reports.flatMap(({ asked }) => (typeof asked === "string" ? [asked] : []));

describe("a process that is killed while a person is asked about a call", () => {
  test("has not run it; the next one asks about the same call again, and runs it once when it may", async () => {
    const folder = pathOf("allowed");
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
    const folder = pathOf("denied");
    const killed = await killedWhileAsking(folder);
    const { asked, finished } = await goOn(folder, false);
    expect(asked[0]).toBe(askedBy(killed)[0]);
    expect([...finished.effects]).toEqual([]);
    expect(statuses(finished)).toEqual(["denied", "denied", "ok", "denied"]);
    expect(
      [promises.databaseIntact, promises.callsPaired, promises.runsEndOnce].flatMap((promised) =>
        promised(witnessOf(killed), finished),
      ),
    ).toEqual([]);
  });

  test("may be killed again while the next one asks: nothing is lost, and no number is given twice", async () => {
    const folder = pathOf("again");
    const first = await killedWhileAsking(folder);
    const second = await killedWhileAsking(folder);
    const third = await killedWhileAsking(folder);
    expect([askedBy(second), askedBy(third)]).toEqual([askedBy(first), askedBy(first)]);
    const { finished } = await goOn(folder, true);
    expect(statuses(finished)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(
      [...all, promises.eventSeqsUnique].flatMap((promised) => promised(witnessOf(first, second, third), finished)),
    ).toEqual([]);
  });
});

test("a process killed at any step around the questions of a turn has run nothing twice, and nothing unasked", {
  timeout: 120_000,
}, async () => {
  const { reports } = await start("work", { folder: pathOf("names"), isAsking: true, isNaming: true }).ended;
  const names = reports.flatMap(({ passed, at }) =>
    typeof passed === "string" && typeof at === "number" ? [{ passed, at }] : [],
  );
  const from = names.find(({ passed }) => passed === "gate: before")?.at ?? 0;
  const to = names.find(({ passed }) => passed === "event: TurnComplete")?.at ?? 0;
  expect(to - from).toBeGreaterThan(20);
  const found = await inParallel(
    Array.from({ length: to - from + 1 }, (_, n) => from + n),
    async (killAt) => {
      const folder = pathOf(`step-${killAt}`);
      const killed = await start("work", { folder, isAsking: true, killAt }).ended;
      cpSync(folder, `${folder}-second`, { recursive: true });
      const step = `${killAt} ${killed.reports.at(-1)?.killedAt}`;
      const { finished } = await goOn(folder, true);
      const broken = [...all, promises.modelSeesUnknownOutcomes].flatMap((promised) =>
        promised(witnessOf(killed), finished),
      );
      const no = await goOn(`${folder}-second`, false);
      const unasked = [...no.finished.effects.keys()].filter((callId) => !askedBy(killed).includes(callId));
      return [...broken, ...unasked.map((callId) => `${callId} was run unasked`)].map((each) => `${step}: ${each}`);
    },
  );
  expect(found.flat()).toEqual([]);
});
