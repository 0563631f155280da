import { cp } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import * as promises from "./guarantees.ts";
import { processFixture } from "./process-fixture.ts";
import { type EndedProcess, inParallel } from "./processes.ts";
import { type ResumedSession, resumeSession } from "./resumed-session.ts";

const { pathOf, start } = processFixture();

/** One process that was killed, and what the next one made of it. */
interface Crash {
  /** The number and the name of the step it was killed at. */
  readonly step: string;
  readonly killed: EndedProcess;
  readonly witness: promises.ObservedOutput;
  readonly finished: ResumedSession;
  /** What a person made of it who did not go on, and asked for something else. */
  readonly leftAlone: ResumedSession;
}

/** Kills a process at every step it has, one process a step, and goes on after each. `prepare` makes the folder it works in. */
async function killAtEveryStep(
  name: string,
  prepare: (folder: string) => Promise<promises.ObservedOutput>,
): Promise<readonly Crash[]> {
  const work = async (killAt?: number) => {
    const folder = pathOf(`${name}-${killAt ?? "whole"}`);
    const earlier = await prepare(folder);
    return {
      folder,
      earlier,
      ended: await start("work", { folder, ...(killAt === undefined ? {} : { killAt }) }).ended,
    };
  };
  const steps = (await work()).ended.reports.at(-1)?.steps ?? 0;
  return inParallel(
    Array.from({ length: steps }, (_, n) => n + 1),
    async (killAt) => {
      const { folder, earlier, ended } = await work(killAt);
      const witness = {
        events: [...earlier.events, ...ended.events],
        reserved: [...earlier.reserved, ...reservedBy(ended)],
      };
      return {
        step: `${killAt} ${ended.reports.at(-1)?.killedAt}`,
        killed: ended,
        witness,
        ...(await bothWays(folder)),
      };
    },
  );
}

async function bothWays(folder: string): Promise<Pick<Crash, "finished" | "leftAlone">> {
  await cp(folder, `${folder}-left`, { recursive: true });
  return {
    finished: await resumeSession(folder),
    leftAlone: await resumeSession(`${folder}-left`, { newPrompt: "Something else." }),
  };
}

function reservedBy({ reports }: EndedProcess): readonly string[] {
  return reports.flatMap(({ reserved }) => reserved ?? []);
}

function brokenBy(crashes: readonly Crash[], promised: promises.Guarantee): readonly string[] {
  return crashes.flatMap(({ step, witness, finished }) =>
    promised(witness, finished).map((broken) => `${step}: ${broken}`),
  );
}

describe("a process killed at any step of a run", () => {
  let crashes: readonly Crash[];
  beforeAll(async () => {
    crashes = await killAtEveryStep("first", async () => ({ events: [], reserved: [] }));
  }, 180_000);

  test("was killed there", () => {
    expect(crashes.length).toBeGreaterThan(100);
    expect(crashes.filter(({ killed }) => killed.signal !== "SIGKILL")).toEqual([]);
    for (const name of [
      "claim: after",
      "commit: before",
      "commit: after",
      "reserve: after",
      "stream: text-delta",
      "note: in the middle",
      "gate: before",
    ])
      expect(crashes.some(({ step }) => step.endsWith(name))).toBe(true);
  });

  test("leaves a database that is whole", () => expect(brokenBy(crashes, promises.databaseIntact)).toEqual([]));
  test("leaves every call with one result", () => expect(brokenBy(crashes, promises.callsPaired)).toEqual([]));
  test("loses nothing that it told as kept", () =>
    expect(brokenBy(crashes, promises.nothingReportedIsLost)).toEqual([]));
  test("has run nothing twice, and nothing unwritten", () =>
    expect(brokenBy(crashes, promises.callsRunOnce)).toEqual([]));
  test("leaves calls that the model is told are unknown", () =>
    expect(brokenBy(crashes, promises.modelSeesUnknownOutcomes)).toEqual([]));
  test("leaves a run that has one end", () => expect(brokenBy(crashes, promises.runsEndOnce)).toEqual([]));
  test("leaves books that add up, the request it was in as unconfirmed", () =>
    expect(brokenBy(crashes, promises.requestsRecordedOnce)).toEqual([]));
  test("leaves a run that knows what it did cost", () =>
    expect(brokenBy(crashes, promises.runCostsMatchLedger)).toEqual([]));
  test("gives no number that is given again", () => expect(brokenBy(crashes, promises.eventSeqsUnique)).toEqual([]));
  test("leaves a run that the next one brings to the same end", () =>
    expect(brokenBy(crashes, promises.endsAsWithoutCrash)).toEqual([]));

  test("leaves a run that has an end once a person asks for something else", () => {
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
    } = promises;
    const asked = crashes.map((crash) => ({ ...crash, finished: crash.leftAlone }));
    expect(
      [
        databaseIntact,
        callsPaired,
        nothingReportedIsLost,
        callsRunOnce,
        modelSeesUnknownOutcomes,
        runsEndOnce,
        eventSeqsUnique,
        requestsRecordedOnce,
        runCostsMatchLedger,
      ].flatMap((each) => brokenBy(asked, each)),
    ).toEqual([]);
    const ends = asked.map(({ finished: { before, after } }) =>
      [before.runs[0]?.state ?? "none", ...after.runs.map(({ reason }) => reason)].join(" "),
    );
    expect([...new Set(ends)].sort()).toEqual([
      "completed answered answered",
      "none answered",
      "running internal_error answered",
    ]);
  });

  test("leaves a call unknown that had done its work, and runs one that had not begun", () => {
    const unknown = ({ finished: { after } }: Crash) =>
      after.messages.filter((message) => message.role === "tool" && message.status === "interrupted").length;
    const at = (name: string) => crashes.filter(({ step }) => step.endsWith(name)).map(unknown);
    expect(at("note: in the middle")).toEqual([2, 2, 2]);
    expect(at("gate: after")).toEqual([0, 0, 0, 0]);
    expect(
      crashes.map(({ finished }) => finished.rows.filter(({ state }) => state === "unconfirmed").length),
    ).toContain(1);
  });
});

describe("a process killed at any step while it goes on after a crash", () => {
  let crashes: readonly Crash[];
  beforeAll(async () => {
    const origin = pathOf("origin");
    const { ended, killAt } = await killedInLastNote(origin);
    expect(ended.signal, `step ${killAt}`).toBe("SIGKILL");
    crashes = await killAtEveryStep("second", async (folder) => {
      await cp(origin, folder, { recursive: true });
      return { events: ended.events, reserved: reservedBy(ended) };
    });
  }, 120_000);

  /** The process that was in its last tool: the note is written, its result is not. */
  async function killedInLastNote(folder: string): Promise<{ readonly ended: EndedProcess; readonly killAt: number }> {
    const { reports } = await start("work", { folder: pathOf("names"), isNaming: true }).ended;
    const killAt =
      (reports.findLast(({ passed }) => passed === "note: in the middle")?.["at"] as number | undefined) ?? 0; // a number where it is told
    return { killAt, ended: await start("work", { folder, killAt }).ended };
  }

  test("was killed there", () => {
    expect(crashes.length).toBeGreaterThan(30);
    expect(crashes.filter(({ killed }) => killed.signal !== "SIGKILL")).toEqual([]);
  });

  test("leaves a database that is whole", () => expect(brokenBy(crashes, promises.databaseIntact)).toEqual([]));
  test("leaves every call with one result", () => expect(brokenBy(crashes, promises.callsPaired)).toEqual([]));
  test("loses nothing that it told as kept", () =>
    expect(brokenBy(crashes, promises.nothingReportedIsLost)).toEqual([]));
  test("has run nothing twice, and nothing unwritten", () =>
    expect(brokenBy(crashes, promises.callsRunOnce)).toEqual([]));
  test("leaves calls that the model is told are unknown", () =>
    expect(brokenBy(crashes, promises.modelSeesUnknownOutcomes)).toEqual([]));
  test("leaves a run that has one end", () => expect(brokenBy(crashes, promises.runsEndOnce)).toEqual([]));
  test("leaves books that add up", () => expect(brokenBy(crashes, promises.requestsRecordedOnce)).toEqual([]));
  test("leaves a run that knows what it did cost", () =>
    expect(brokenBy(crashes, promises.runCostsMatchLedger)).toEqual([]));
  test("gives no number that is given again", () => expect(brokenBy(crashes, promises.eventSeqsUnique)).toEqual([]));
  test("leaves a run that the next one brings to the same end", () =>
    expect(brokenBy(crashes, promises.endsAsWithoutCrash)).toEqual([]));
});
