import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sqliteStores } from "../../src/stores/sqlite/sqlite-stores.ts";
import { compileFailingDisk, failingDiskProblem } from "./failing-disk.ts";
import * as guarantees from "./guarantees.ts";
import { processFixture } from "./process-fixture.ts";
import { inParallel } from "./processes.ts";
import { resumeSession } from "./resumed-session.ts";
import { databaseIn, openScenario, session } from "./scenario.ts";

const { pathOf, start } = processFixture();
if (failingDiskProblem !== undefined) console.warn(`Tests of a power loss are skipped: ${failingDiskProblem}.`);

/** Reservations and events that were only published are not synced: with the power they may be lost. */
const { eventSeqsUnique, requestsRecordedOnce } = guarantees;
const afterPowerLoss = guarantees.afterEveryDeath.filter(
  (guarantee) => guarantee !== eventSeqsUnique && guarantee !== requestsRecordedOnce,
);

describe.skipIf(failingDiskProblem !== undefined)("a process", () => {
  let environment: Readonly<Record<string, string>>;
  beforeAll(() => {
    environment = { LD_PRELOAD: compileFailingDisk(pathOf(".")), SHEEPDOG_FAIL_IN: "/state/" };
  });

  test("killed in the middle of any write leaves what it had committed", {
    timeout: 120_000,
  }, async () => {
    const broken: string[] = [];
    let kills = 0;
    const killIn = async (write: number) => {
      const folder = pathOf(`made-${write}`);
      mkdirSync(folder);
      const { signal, reports } = await start(
        "open",
        { folder },
        { environment: { ...environment, SHEEPDOG_FAIL: `write once ${write} -1` } },
      ).ended;
      kills += signal === "SIGKILL" ? 1 : 0;
      const committed = reports.filter((each) => each["committed"] !== undefined).length;
      const stores = await sqliteStores({ path: databaseIn(folder) });
      const { length } = (await stores.sessions.load(session)).messages;
      await stores.close();
      if (length !== committed && length !== committed + 1)
        broken.push(`write ${write}, ${committed} committed: ${length} messages are saved`);
      return signal === null;
    };
    for (let from = 1, isDone = false; !isDone; from += 12) {
      const writes = Array.from({ length: 12 }, (_, n) => from + n);
      isDone = (await inParallel(writes, killIn)).includes(true);
    }
    expect(broken).toEqual([]);
    expect(kills).toBeGreaterThan(50);
  });

  test("whose machine loses power loses nothing that it reported as saved, and no executed call", {
    timeout: 120_000,
  }, async () => {
    const base = pathOf("base");
    await (await openScenario(base)).runtime.stores.close();
    const { reports } = await start("run", { folder: pathOf("names"), reportsSteps: true }).ended;
    const interesting =
      /^(commit: after|reserve: after|note: in the middle|event: (TurnComplete|ToolStart|RunComplete)|release: after)$/;
    const steps = reports.flatMap(({ passed, at }) =>
      typeof at === "number" && interesting.test(String(passed)) ? [{ at, name: String(passed) }] : [],
    );
    expect(steps.length).toBeGreaterThan(15);
    const found = await inParallel(steps, async ({ at, name }) => {
      const [folder, synced] = [pathOf(`power-${at}`), pathOf(`synced-${at}`)];
      cpSync(base, folder, { recursive: true });
      cpSync(join(base, "state"), synced, { recursive: true });
      const ended = await start(
        "run",
        { folder, killAt: at },
        { environment: { ...environment, SHEEPDOG_SYNCED: synced } },
      ).ended;
      rmSync(join(folder, "state"), { recursive: true });
      // Only synced data is left.
      cpSync(synced, join(folder, "state"), { recursive: true, filter: (path) => !path.endsWith("-shm") });
      const observed = { events: ended.events, reserved: [] };
      const resumed = await resumeSession(folder);
      const broken = [...afterPowerLoss, guarantees.endsAsWithoutCrash].flatMap((each) => each(observed, resumed));
      return [...(ended.signal === "SIGKILL" ? [] : ["was not killed"]), ...broken].map(
        (each) => `${at} ${name}: ${each}`,
      );
    });
    expect(found.flat()).toEqual([]);
  });
});
