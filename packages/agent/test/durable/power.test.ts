import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "@sheepdog/records";
import { beforeAll, describe, expect, test } from "vitest";
import { migrations } from "../../src/stores/sqlite/migrations.ts";
import { backupPath } from "../../src/stores/sqlite/schema.ts";
import { sqliteStores } from "../../src/stores/sqlite/sqlite-stores.ts";
import { compileFailingDisk, failingDiskProblem } from "./failing-disk.ts";
import * as guarantees from "./guarantees.ts";
import { nextMigration } from "./jobs/open.ts";
import { processFixture } from "./process-fixture.ts";
import { type EndedProcess, inParallel } from "./processes.ts";
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

  /** A job that is killed in the middle of each of its writes, one process per write. */
  interface KilledJob {
    readonly name: string;
    readonly isMigrating: boolean;
    prepare(folder: string): void;
    /** Describes what is wrong with the folder afterwards. */
    inspect(folder: string, committed: number): Promise<readonly string[]>;
    /** Whether later writes belong to another test. */
    isDone(reports: EndedProcess["reports"]): boolean;
  }

  async function killInEveryWrite({
    name,
    isMigrating,
    prepare,
    inspect,
    isDone,
  }: KilledJob): Promise<{ readonly kills: number; readonly broken: readonly string[] }> {
    const broken: string[] = [];
    let kills = 0;
    const killIn = async (write: number) => {
      const folder = pathOf(`${name}-${write}`);
      prepare(folder);
      const { signal, reports } = await start(
        "open",
        { folder, isMigrating },
        { environment: { ...environment, SHEEPDOG_FAIL: `write once ${write} -1` } },
      ).ended;
      kills += signal === "SIGKILL" ? 1 : 0;
      const committed = reports.filter((each) => each["committed"] !== undefined).length;
      broken.push(
        ...(await inspect(folder, committed)).map((each) => `write ${write}, ${committed} committed: ${each}`),
      );
      return signal === null || isDone(reports);
    };
    for (let from = 1; ; from += 12) {
      const writes = Array.from({ length: 12 }, (_, n) => from + n);
      if ((await inParallel(writes, killIn)).includes(true)) return { kills, broken };
    }
  }

  test("killed in the middle of any write leaves what it had committed", {
    timeout: 120_000,
  }, async () => {
    const inspect = async (folder: string, committed: number) => {
      const stores = await sqliteStores({ path: databaseIn(folder) });
      const { length } = (await stores.sessions.load(session)).messages;
      await stores.close();
      return length === committed || length === committed + 1 ? [] : [`${length} messages are saved`];
    };
    const { kills, broken } = await killInEveryWrite({
      name: "made",
      isMigrating: false,
      prepare: (folder) => mkdirSync(folder),
      inspect,
      isDone: () => false,
    });
    expect(broken).toEqual([]);
    expect(kills).toBeGreaterThan(50);
  });

  test("killed in the middle of any write of a migration leaves the old or the new database, and a backup", {
    timeout: 120_000,
  }, async () => {
    const old = pathOf("old");
    expect((await start("open", { folder: old }).ended).code).toBe(0);
    const inspect = async (folder: string) => {
      const before = await schemaOf(folder);
      const stores = await sqliteStores({ path: databaseIn(folder), migrations: [...migrations, nextMigration] });
      const { length } = (await stores.sessions.load(session)).messages;
      await stores.close();
      const after = await schemaOf(folder);
      const version = migrations.length;
      const isMigrated = after.version === version + 1 && after.tables === 1;
      const isRight = before.tables === before.version - version && isMigrated && length >= 2;
      return isRight && existsSync(backupPath(databaseIn(folder), version))
        ? []
        : [JSON.stringify({ before, after, length })];
    };
    const { kills, broken } = await killInEveryWrite({
      name: "migrated",
      isMigrating: true,
      prepare: (folder) => cpSync(old, folder, { recursive: true }),
      inspect,
      isDone: (reports) => reports.some(({ opened }) => opened !== undefined),
    });
    expect(broken).toEqual([]);
    expect(kills).toBeGreaterThan(20);
  });

  /** The schema version, and the number of tables of the next version. */
  async function schemaOf(folder: string): Promise<{ readonly version: number; readonly tables: number }> {
    const database = await openDatabase(databaseIn(folder));
    const row = database
      .prepare(
        `SELECT user_version AS version, (SELECT count(*) FROM sqlite_schema WHERE name = 'later') AS tables
         FROM pragma_user_version`,
      )
      .get();
    database.close();
    return row as Awaited<ReturnType<typeof schemaOf>>; // the selected columns
  }

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
