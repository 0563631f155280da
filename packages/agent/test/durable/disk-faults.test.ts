import { constants } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { readRunLog } from "../../src/logs/read-run-log.ts";
import { compileFailingDisk, failingDiskProblem } from "./failing-disk.ts";
import * as guarantees from "./guarantees.ts";
import type { FailReport } from "./jobs/fail.ts";
import { processFixture } from "./process-fixture.ts";
import { inParallel } from "./processes.ts";
import { type ResumedSession, resumeSession } from "./resumed-session.ts";

const { pathOf, start } = processFixture();
const { ENOSPC, EIO, EDQUOT } = constants.errno;
if (failingDiskProblem !== undefined) console.warn(`Tests of a failing disk are skipped: ${failingDiskProblem}.`);

/** A run on a failing disk, and the session that the next process resumed on a working disk. */
interface Fault extends FailReport {
  readonly resumed: ResumedSession;
}

describe.skipIf(failingDiskProblem !== undefined)("a disk", () => {
  let library: string;
  let counts: readonly number[];

  beforeAll(async () => {
    library = compileFailingDisk(pathOf("."));
    counts = (await onDisk(["off"], "state"))[0]?.counts ?? [];
  }, 60_000);

  /** Runs the scenario once for each fault, in two processes that must survive all faults. */
  async function onDisk(faults: readonly string[], failing: "state" | "logs"): Promise<readonly FailReport[]> {
    const halves = [0, 1].map((half) => faults.filter((_, n) => n % 2 === half));
    const ended = await inParallel(halves, (half) => {
      const environment = { LD_PRELOAD: library, SHEEPDOG_FAIL_IN: `/${failing}/` };
      return start("fail", { folder: pathOf(`failing-${failing}`), faults: half, failing }, { environment }).ended;
    });
    expect(ended.map(({ code, signal }) => ({ code, signal }))).toEqual(
      Array.from({ length: 2 }, () => ({ code: 0, signal: null })),
    );
    if (failing === "state") expect(ended.map(({ stderr }) => stderr)).toEqual(["", ""]);
    const allReports = ended.flatMap(({ reports }) => reports);
    const reports = allReports.map(({ report }) => report as FailReport); // written by the job
    expect(reports.map(({ fault }) => fault).sort()).toEqual([...faults].sort());
    return reports;
  }

  const faultsOf = (what: "write" | "sync", when: "once" | "from", code: number) =>
    Array.from({ length: counts[what === "write" ? 0 : 1] ?? 0 }, (_, n) => `${what}-${when}-${n + 1}-${code}`);

  describe.each([
    ["that is full from one write on", "write", "from", ENOSPC, /its disk (failed or )?is full/],
    ["that is full for one write", "write", "once", ENOSPC, /its disk (failed or )?is full/],
    ["that exceeds a quota from one write on", "write", "from", EDQUOT, /its disk failed or is full/],
    ["that fails at one write", "write", "once", EIO, /its disk failed or is full/],
    ["that fails at one sync", "sync", "once", EIO, /its disk failed or is full/],
    ["that fails from one sync on", "sync", "from", EIO, /its disk failed or is full/],
  ] as const)("%s", (_name, what, when, code, cause) => {
    let faults: readonly Fault[];
    beforeAll(async () => {
      const reports = await onDisk(faultsOf(what, when, code), "state");
      faults = [];
      for (const report of reports)
        faults = [...faults, { ...report, resumed: await resumeSession(join(pathOf("failing-state"), report.fault)) }];
    }, 120_000);

    const violations = (guarantee: guarantees.Guarantee) =>
      faults.flatMap((fault) =>
        guarantee(fault, fault.resumed).map((violation) => `${fault.fault} (${fault.failed.join(", ")}): ${violation}`),
      );

    test("failed at every write or sync", () => {
      expect(faults.length).toBeGreaterThan(what === "write" ? 100 : 10);
      expect(faults.filter(({ refused }) => refused !== undefined).length).toBeGreaterThan(0);
      expect(faults.filter(({ failed }) => failed.includes("commit: failed")).length).toBeGreaterThan(
        what === "write" ? 20 : 3,
      );
    });

    test("ends the run with a clear error, and nothing is executed afterwards", () => {
      const unclear = faults.filter(({ refused, reason, problem, failed }) => {
        const message = refused ?? problem ?? "";
        const isHarmless = failed.every((each) => each === "release: failed");
        return reason === "answered" ? !isHarmless : !(cause.test(message) && message.includes("sheepdog.db"));
      });
      expect(
        unclear.map(({ fault, refused, reason, problem, failed }) => ({ fault, refused, reason, problem, failed })),
      ).toEqual([]);
      expect(faults.filter(({ doneAfter }) => doneAfter.length > 0)).toEqual([]);
    });

    test("lets the database be closed without an error", () =>
      expect(
        faults.flatMap(({ fault, failed }) =>
          failed.filter((each) => each.startsWith("close")).map((each) => `${fault} ${each}`),
        ),
      ).toEqual([]));

    test("leaves no draft beside the database", () => {
      const ours = /^(arm|sheepdog\.db(-wal|-shm|-journal)?)$/;
      expect(
        faults.flatMap(({ fault, files }) =>
          files.filter((file) => !ours.test(file)).map((file) => `${fault}: ${file}`),
        ),
      ).toEqual([]);
    });

    test("leaves an intact database", () => expect(violations(guarantees.databaseIntact)).toEqual([]));
    test("executes no call twice, and none that is not stored", () =>
      expect(violations(guarantees.callsRunOnce)).toEqual([]));
    test("uses no sequence number again once something was saved", () =>
      expect(
        violations((observed, resumed) =>
          resumed.before.runs.length === 0 ? [] : guarantees.eventSeqsUnique(observed, resumed),
        ),
      ).toEqual([]));
    test("leaves a ledger that adds up", () => expect(violations(guarantees.requestsRecordedOnce)).toEqual([]));
    test("leaves every call with one result", () => expect(violations(guarantees.callsPaired)).toEqual([]));
    test("lets the next process finish the work", () => expect(violations(guarantees.workFinished)).toEqual([]));
    test("loses nothing that was reported as saved", () =>
      expect(violations(guarantees.nothingReportedIsLost)).toEqual([]));
    test("leaves every run with one end", () => expect(violations(guarantees.runsEndOnce)).toEqual([]));
    test("emits one end", () => {
      const ends = ({ events }: FailReport) =>
        events.filter(({ type }) => type === "RunComplete" || type === "RunError").length;
      expect(
        faults
          .filter((fault) => fault.refused === undefined && ends(fault) !== 1)
          .map((fault) => `${fault.fault} ${ends(fault)}`),
      ).toEqual([]);
    });
  });

  test("that fails for logs ends no run: there is one warning, and the database is complete", {
    timeout: 60_000,
  }, async () => {
    const writeCount = (await onDisk(["off"], "logs"))[0]?.counts[0] ?? 0;
    expect(writeCount).toBeGreaterThan(3);
    const faults = Array.from({ length: writeCount }, (_, n) => [
      `write-from-${n + 1}-${ENOSPC}`,
      `write-once-${n + 1}-${EIO}`,
    ]).flat();
    const reports = await onDisk(faults, "logs");
    expect(reports.filter(({ reason, failed }) => reason !== "answered" || failed.length > 0)).toEqual([]);
    expect(
      reports.filter(({ warnings }) => warnings.length !== 1 || !/^The run is not logged: /.test(warnings[0] ?? "")),
    ).toEqual([]);
    for (const { fault, events } of reports) {
      const runId = events[0]?.runId ?? "";
      const resumed = await resumeSession(join(pathOf("failing-logs"), fault));
      expect(guarantees.endsAsWithoutCrash({ events, reserved: [] }, resumed)).toEqual([]);
      const log = await readRunLog({ dir: join(pathOf("failing-logs"), fault, "logs"), sessionId: "ses_1", runId });
      expect(log.problems).toEqual([]);
    }
  });
});
