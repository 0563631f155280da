import { cpSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as guarantees from "./guarantees.ts";
import { effectsIn } from "./note-tools.ts";
import { processFixture } from "./process-fixture.ts";
import { type EndedProcess, inParallel } from "./processes.ts";
import { type ResumedSession, resumeSession } from "./resumed-session.ts";
import { effectsFolder, openScenario, session } from "./scenario.ts";

const { pathOf, start } = processFixture();

/** Resumes a session and gives the same answer to every approval. Returns the ids of the calls that asked for one. */
async function resumeWithAnswer(
  folder: string,
  isAllowed: boolean,
): Promise<{ readonly askedCalls: readonly string[]; readonly resumed: ResumedSession }> {
  const askedCalls: string[] = [];
  const approve = async ({ id }: { readonly id: string }) => {
    expect(effectsIn(effectsFolder(folder), session).get(id) ?? 0).toBe(0); // not executed before its approval
    askedCalls.push(id);
    return { isAllowed };
  };
  return { resumed: await resumeSession(folder, { approve }), askedCalls };
}

const outputOf = (...ended: readonly EndedProcess[]): guarantees.ObservedOutput => ({
  events: ended.flatMap(({ events }) => events),
  reserved: ended.flatMap(({ reports }) => reports.flatMap(({ reserved }) => reserved ?? [])),
});

const all = [
  guarantees.databaseIntact,
  guarantees.callsPaired,
  guarantees.nothingReportedIsLost,
  guarantees.callsRunOnce,
  guarantees.runsEndOnce,
  guarantees.requestsRecordedOnce,
  guarantees.endsAsWithoutCrash,
];
const statuses = ({ after }: ResumedSession) =>
  after.messages.flatMap((message) => (message.role === "tool" ? [message.status] : []));

/** A process that is killed while its first call waits for approval. */
async function killedDuringApproval(folder: string): Promise<EndedProcess> {
  const child = start("run", { folder, needsApproval: true, hold: { at: "approve: before", until: pathOf("never") } });
  await child.until(({ holding }) => holding !== undefined);
  child.kill("SIGKILL");
  return child.ended;
}

const approvalsOf = ({ reports }: EndedProcess) =>
  reports.flatMap(({ asked }) => (typeof asked === "string" ? [asked] : []));

describe("a process that is killed while a call waits for approval", () => {
  test("has not executed the call; the next process asks again and executes it once", async () => {
    const folder = pathOf("allowed");
    const killed = await killedDuringApproval(folder);
    expect(approvalsOf(killed)).toHaveLength(1);
    expect([...effectsIn(effectsFolder(folder), session)]).toEqual([]);

    const { runtime } = await openScenario(folder);
    const { unansweredCalls, messages } = await runtime.stores.sessions.load(session);
    expect(unansweredCalls).toEqual([{ callId: approvalsOf(killed)[0], tool: "note", state: "awaiting-approval" }]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]); // no result was made up
    await runtime.stores.close();

    const { askedCalls, resumed } = await resumeWithAnswer(folder, true);
    expect(askedCalls.slice(0, 2)).toEqual(
      resumed.before.messages.flatMap((message) =>
        message.role === "assistant" ? message.parts.flatMap((part) => (part.type === "call" ? [part.id] : [])) : [],
      ),
    );
    expect(askedCalls[0]).toBe(approvalsOf(killed)[0]);
    expect(askedCalls).toHaveLength(3);
    expect(statuses(resumed)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(resumed.scenario.requests.map(({ text }) => text.includes("Outcome unknown"))).toEqual([false, false]);
    expect(all.flatMap((guarantee) => guarantee(outputOf(killed), resumed))).toEqual([]);
  });

  test("lets the next process execute nothing when the answer is no", async () => {
    const folder = pathOf("denied");
    const killed = await killedDuringApproval(folder);
    const { askedCalls, resumed } = await resumeWithAnswer(folder, false);
    expect(askedCalls[0]).toBe(approvalsOf(killed)[0]);
    expect([...resumed.effects]).toEqual([]);
    expect(statuses(resumed)).toEqual(["denied", "denied", "ok", "denied"]);
    expect(
      [guarantees.databaseIntact, guarantees.callsPaired, guarantees.runsEndOnce].flatMap((guarantee) =>
        guarantee(outputOf(killed), resumed),
      ),
    ).toEqual([]);
  });

  test("can be killed again and again: nothing is lost, and no sequence number is used twice", async () => {
    const folder = pathOf("again");
    const first = await killedDuringApproval(folder);
    const second = await killedDuringApproval(folder);
    const third = await killedDuringApproval(folder);
    expect([approvalsOf(second), approvalsOf(third)]).toEqual([approvalsOf(first), approvalsOf(first)]);
    const { resumed } = await resumeWithAnswer(folder, true);
    expect(statuses(resumed)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(
      [...all, guarantees.eventSeqsUnique].flatMap((guarantee) => guarantee(outputOf(first, second, third), resumed)),
    ).toEqual([]);
  });
});

test("a process killed at any step around approvals executes nothing twice and nothing without approval", {
  timeout: 120_000,
}, async () => {
  const { reports } = await start("run", { folder: pathOf("names"), needsApproval: true, reportsSteps: true }).ended;
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
      const killed = await start("run", { folder, needsApproval: true, killAt }).ended;
      cpSync(folder, `${folder}-second`, { recursive: true });
      const step = `${killAt} ${killed.reports.at(-1)?.killedAt}`;
      const { resumed } = await resumeWithAnswer(folder, true);
      const broken = [...all, guarantees.modelSeesUnknownOutcomes].flatMap((guarantee) =>
        guarantee(outputOf(killed), resumed),
      );
      const denied = await resumeWithAnswer(`${folder}-second`, false);
      const unapproved = [...denied.resumed.effects.keys()].filter((callId) => !approvalsOf(killed).includes(callId));
      return [...broken, ...unapproved.map((callId) => `${callId} was executed without approval`)].map(
        (each) => `${step}: ${each}`,
      );
    },
  );
  expect(found.flat()).toEqual([]);
});
