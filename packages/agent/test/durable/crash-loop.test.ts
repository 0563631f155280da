import { cp } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import * as guarantees from "./guarantees.ts";
import { processFixture } from "./process-fixture.ts";
import { type EndedProcess, inParallel } from "./processes.ts";
import { type ResumedSession, resumeSession } from "./resumed-session.ts";

const { pathOf, start } = processFixture();

/** A killed process, and what the next process did. */
interface Crash {
  /** Number and name of the step at which it was killed. */
  readonly step: string;
  readonly killed: EndedProcess;
  readonly observed: guarantees.ObservedOutput;
  readonly resumed: ResumedSession;
  /** The session after a new prompt instead of a resume. */
  readonly newPrompt: ResumedSession;
}

/** Kills one process at each step of a run, and resumes after each. `prepare` creates the folder of the run. */
async function killAtEveryStep(
  name: string,
  prepare: (folder: string) => Promise<guarantees.ObservedOutput>,
): Promise<readonly Crash[]> {
  const work = async (killAt?: number) => {
    const folder = pathOf(`${name}-${killAt ?? "whole"}`);
    const earlier = await prepare(folder);
    return {
      folder,
      earlier,
      ended: await start("run", { folder, ...(killAt === undefined ? {} : { killAt }) }).ended,
    };
  };
  const steps = (await work()).ended.reports.at(-1)?.steps ?? 0;
  return inParallel(
    Array.from({ length: steps }, (_, n) => n + 1),
    async (killAt) => {
      const { folder, earlier, ended } = await work(killAt);
      const observed = {
        events: [...earlier.events, ...ended.events],
        reserved: [...earlier.reserved, ...reservedBy(ended)],
      };
      return {
        step: `${killAt} ${ended.reports.at(-1)?.killedAt}`,
        killed: ended,
        observed,
        ...(await bothWays(folder)),
      };
    },
  );
}

async function bothWays(folder: string): Promise<Pick<Crash, "resumed" | "newPrompt">> {
  await cp(folder, `${folder}-left`, { recursive: true });
  return {
    resumed: await resumeSession(folder),
    newPrompt: await resumeSession(`${folder}-left`, { newPrompt: "Something else." }),
  };
}

function reservedBy({ reports }: EndedProcess): readonly string[] {
  return reports.flatMap(({ reserved }) => reserved ?? []);
}

function violations(crashes: readonly Crash[], guarantee: guarantees.Guarantee): readonly string[] {
  return crashes.flatMap(({ step, observed, resumed }) =>
    guarantee(observed, resumed).map((broken) => `${step}: ${broken}`),
  );
}

describe("a process killed at any step of a run", () => {
  let crashes: readonly Crash[];
  beforeAll(async () => {
    crashes = await killAtEveryStep("first", async () => ({ events: [], reserved: [] }));
  }, 180_000);

  test("was killed at that step", () => {
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

  testGuarantees(() => crashes);

  test("leaves a run that ends when the user sends another prompt", () => {
    const continued = crashes.map((crash) => ({ ...crash, resumed: crash.newPrompt }));
    expect(guarantees.afterEveryDeath.flatMap((each) => violations(continued, each))).toEqual([]);
    const ends = continued.map(({ resumed: { before, after } }) =>
      [before.runs[0]?.state ?? "none", ...after.runs.map(({ reason }) => reason)].join(" "),
    );
    expect([...new Set(ends)].sort()).toEqual([
      "completed answered answered",
      "none answered",
      "running broken_off answered",
    ]);
  });

  test("leaves an executed call with an unknown outcome, and executes a call that had not begun", () => {
    const unknown = ({ resumed: { after } }: Crash) =>
      after.messages.filter((message) => message.role === "tool" && message.status === "interrupted").length;
    const at = (name: string) => crashes.filter(({ step }) => step.endsWith(name)).map(unknown);
    expect(at("note: in the middle")).toEqual([2, 2, 2]);
    expect(at("gate: after")).toEqual([0, 0, 2, 0, 0, 2]); // the second call is judged again after the first has run
    expect(crashes.map(({ resumed }) => resumed.rows.filter(({ state }) => state === "unconfirmed").length)).toContain(
      1,
    );
  });
});

describe("a process killed at any step while it resumes after a crash", () => {
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

  /** Killed during its last tool call: the note is written, its result is not stored. */
  async function killedInLastNote(folder: string): Promise<{ readonly ended: EndedProcess; readonly killAt: number }> {
    const { reports } = await start("run", { folder: pathOf("names"), reportsSteps: true }).ended;
    const killAt =
      (reports.findLast(({ passed }) => passed === "note: in the middle")?.["at"] as number | undefined) ?? 0;
    return { killAt, ended: await start("run", { folder, killAt }).ended };
  }

  test("was killed at that step", () => {
    expect(crashes.length).toBeGreaterThan(30);
    expect(crashes.filter(({ killed }) => killed.signal !== "SIGKILL")).toEqual([]);
  });

  testGuarantees(() => crashes);
});

/** One test for each guarantee, so that a failure names what was broken. */
function testGuarantees(crashes: () => readonly Crash[]): void {
  test("leaves an intact database", () => expect(violations(crashes(), guarantees.databaseIntact)).toEqual([]));
  test("leaves every call with one result", () => expect(violations(crashes(), guarantees.callsPaired)).toEqual([]));
  test("loses nothing that it reported as saved", () =>
    expect(violations(crashes(), guarantees.nothingReportedIsLost)).toEqual([]));
  test("executes no call twice, and none that is not stored", () =>
    expect(violations(crashes(), guarantees.callsRunOnce)).toEqual([]));
  test("leaves calls whose unknown outcome the model is sent", () =>
    expect(violations(crashes(), guarantees.modelSeesUnknownOutcomes)).toEqual([]));
  test("leaves a run that ends once", () => expect(violations(crashes(), guarantees.runsEndOnce)).toEqual([]));
  test("leaves a ledger that adds up, with its pending request as unconfirmed", () =>
    expect(violations(crashes(), guarantees.requestsRecordedOnce)).toEqual([]));
  test("leaves a run with the right cost", () =>
    expect(violations(crashes(), guarantees.runCostsMatchLedger)).toEqual([]));
  test("uses no sequence number that is used again", () =>
    expect(violations(crashes(), guarantees.eventSeqsUnique)).toEqual([]));
  test("leaves a run that the next process brings to the same end", () =>
    expect(violations(crashes(), guarantees.endsAsWithoutCrash)).toEqual([]));
}
