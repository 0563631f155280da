import { spawnSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { sqliteStores } from "@sheepdog/agent";
import { openDatabase } from "@sheepdog/records";
import { describe, expect, type TestContext, test } from "vitest";
import { testSpool } from "../attached/spool.ts";
import { createSandbox, isBuilt, type Sandbox } from "./sandbox.ts";

const canMount = process.getuid?.() === 0 && spawnSync("unshare", ["-m", "true"]).status === 0;
const answer = { text: "Done.", usage: { input: 10_000, output: 1_000 } };
const reading = [["runs"], ["show", "last"], ["cost"], ["budget"], ["audit"], ["memory", "list"], ["analyze"]];

/** A home with one run, which cost $0.045, and a fact. */
async function homeWithRun(context: TestContext, replies = 1): Promise<Sandbox & { readonly database: string }> {
  const sandbox = await createSandbox(
    context,
    Array.from({ length: replies }, () => answer),
  );
  expect(await sandbox.run(["run", "-m", "anthropic:claude-sonnet-4-5", "Count."])).toMatchObject({ code: 0 });
  await sandbox.run(["memory", "add", "Remember."]);
  return { ...sandbox, database: join(sandbox.home, "sheepdog.db") };
}

/** Leaves a fact in the write-ahead log, as a process that was killed does. */
async function leaveLog(database: string): Promise<void> {
  const stores = await sqliteStores({ path: database });
  await stores.memory.write({ at: Date.now(), text: "From the log.", tags: [] });
  for (const suffix of ["", "-wal"]) copyFileSync(database + suffix, `${database}${suffix}.kept`);
  await stores.close();
  for (const suffix of ["", "-wal"]) renameSync(`${database}${suffix}.kept`, database + suffix);
  rmSync(`${database}-shm`, { force: true });
}

/** Runs a command in a mount namespace of its own, where the home was prepared by a line for `sh`. */
const withMount = (line: string) => ({ shell: `exec unshare -m sh -ec '${line}; exec "$@"' sh "$@"` });
const readOnly = withMount('mount --bind "$SHEEPDOG_HOME" "$SHEEPDOG_HOME"; mount -o remount,bind,ro "$SHEEPDOG_HOME"');
const full = withMount(
  'cp -a "$SHEEPDOG_HOME" "$HOME/copy$$"; mount -t tmpfs -o size=4m tmpfs "$SHEEPDOG_HOME"; ' +
    'cp -a "$HOME/copy$$/." "$SHEEPDOG_HOME"; cat /dev/zero > "$SHEEPDOG_HOME/filler" 2>/dev/null || true',
);

/** What is in a home, without what SQLite and `analyze` need for themselves. */
const files = (home: string) =>
  readdirSync(home)
    .filter((name) => name !== "cache" && !/-(?:wal|shm)$/.test(name))
    .toSorted();

describe.skipIf(!isBuilt)("a home that cannot be written to (needs root and unshare)", () => {
  test.skipIf(!canMount).for([
    ["is read-only", readOnly],
    ["is full", full],
  ] as const)(
    "is read when it %s, with what is in the write-ahead log",
    { timeout: 120_000 },
    async ([, mount], context) => {
      const { run, database, home } = await homeWithRun(context);
      for (const hasLog of [false, true]) {
        if (hasLog) await leaveLog(database);
        const before = files(home);
        for (const command of reading) expect([command, (await run(command, mount)).code]).toEqual([command, 0]);
        expect((await run(["runs"], mount)).out).toContain("Count.");
        expect((await run(["cost"], mount)).out).toContain("$0.045");
        expect((await run(["memory", "list"], mount)).out.includes("From the log.")).toBe(hasLog);
        expect(files(home)).toEqual(before);
      }
    },
  );

  test.skipIf(!canMount)(
    "is served, and commands that write end with a sentence",
    { timeout: 120_000 },
    async (context) => {
      const { run, start } = await homeWithRun(context);
      const server = start(["serve", "--no-open", "--port", "0"], readOnly);
      await server.says("#token=");
      const [, origin = "", token = ""] = /^(\S+)\/#token=(\S+)/m.exec(server.said()) ?? [];
      const response = await fetch(`${origin}/api/runs`, { headers: { authorization: `Bearer ${token}` } });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("Count.")]);
      server.child.kill("SIGINT");
      await server.ended;
      for (const command of [
        ["run", "Again."],
        ["memory", "add", "x"],
        ["prune", "--yes"],
      ]) {
        const { code, err } = await run(command, readOnly);
        expect([code, err]).toEqual([1, expect.stringMatching(/cannot be used: its folder cannot be .*read-only/)]);
      }
    },
  );
});

describe.skipIf(!isBuilt)("reading", () => {
  test("a damaged or missing database is said with what to type, and changes no file", {
    timeout: 120_000,
  }, async (context) => {
    const { run, database, home } = await homeWithRun(context);
    testSpool(join(home, "attach"), { startedAt: Date.now() - 60_000 }).failingTurn("c1");
    truncateSync(database, 8_192);
    const before = [files(home), readFileSync(database)];
    const fails = async (sentence: RegExp) => {
      for (const command of reading) {
        const { code, err } = await run(command);
        expect(err).not.toContain("there are no runs");
        expect([command, code, err]).toEqual([
          command,
          command[0] === "analyze" ? 0 : 1,
          expect.stringMatching(sentence),
        ]);
      }
      expect((await run(["runs"])).out).toContain("Claude Code: Fix the");
      for (const command of [
        ["run", "Again."],
        ["memory", "add", "x"],
      ])
        expect(await run(command)).toMatchObject({ code: 1, err: expect.stringMatching(sentence) });
    };
    await fails(/sheepdog\.db is damaged: .*sheepdog doctor --rebuild$/m);
    expect([files(home), readFileSync(database)]).toEqual(before);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(database + suffix, { force: true });
    await fails(
      /sheepdog\.db is missing, but .*logs shows that .*sheepdog doctor --rebuild\. To begin anew: remove .*logs$/m,
    );
    expect(files(home)).toEqual((before[0] as string[]).filter((name) => name !== "sheepdog.db"));
  });

  test("works again after a rebuild, which keeps the old files and says what is lost", {
    timeout: 120_000,
  }, async (context) => {
    const { run, database, home } = await homeWithRun(context);
    truncateSync(database, 8_192);
    const damaged = readFileSync(database);
    const { code, out } = await run(["doctor", "--rebuild"]);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^The database was rebuilt. It has 1 session with 1 run, 1 of/),
    ]);
    const [, moved = ""] = /The old files are at (\S+)/.exec(out) ?? [];
    expect(readFileSync(moved).equals(damaged)).toBe(true);
    expect(out).toMatch(/^Lost: /m);
    for (const command of reading) expect([command, (await run(command)).code]).toEqual([command, 0]);
    expect((await run(["runs"])).out).toContain("Count.");
    expect((await run(["doctor", "--rebuild"])).out).toMatch(/^There is nothing to rebuild/);
    expect(files(home).filter((name) => name.includes("damaged"))).toHaveLength(1);
  });

  test("rows of another program are left out and reported, and nothing is moved, by a run neither", {
    timeout: 120_000,
  }, async (context) => {
    const { run, database, home } = await homeWithRun(context, 2);
    const other = await openDatabase(database);
    other.exec(`INSERT INTO facts (at, json) VALUES (1, 'no json'); INSERT INTO lessons (key, json) VALUES ('k', '{}');
      INSERT INTO audit (at, session_id, json) VALUES (1, 'ses_x', '[]');
      INSERT INTO messages (row_key, json) SELECT key * 1073741824 + 900, 'no json' FROM sessions;
      INSERT INTO balances VALUES ('day', 'someday', 7)`);
    other.close();
    for (const command of reading) expect([command, (await run(command)).code]).toEqual([command, 0]);
    const { out, err } = await run(["memory", "list"]);
    expect(out).toContain("Remember.");
    expect(err).toContain(`1 row of ${database} was left out: another program wrote or changed it`);
    expect(await run(["run", "-m", "anthropic:claude-sonnet-4-5", "Count again."])).toMatchObject({ code: 0 });
    expect(files(home).filter((name) => name.includes("damaged"))).toEqual([]);
  });
});

describe.skipIf(!isBuilt)("with a limit on the month", () => {
  const limited = ["run", "-m", "anthropic:claude-sonnet-4-5", "--set", "budget.monthly_limit_cents=2000", "Count."];

  test("no run starts while amounts of a damaged ledger are lost, until the user enters them", {
    timeout: 120_000,
  }, async (context) => {
    const { run, database, home, server } = await homeWithRun(context, 2);
    truncateSync(database, 0);
    rmSync(join(home, "logs"), { recursive: true });
    expect(await run(limited)).toMatchObject({
      code: 1,
      err: expect.stringContaining("is damaged: the file is empty"),
    });
    expect((await run(["doctor", "--rebuild"])).out).toContain("Amounts spent this month may be lost, too.");
    const refused = await run(limited);
    expect(refused).toMatchObject({ code: 4, out: "" });
    expect(refused.err).toContain("The amounts spent this month could not be read from the damaged database");
    const [, id = ""] = /sheepdog cost settle (lost_\S+) --amount/.exec(refused.err) ?? [];
    expect((await run(limited)).code).toBe(4);
    expect(server.requests).toHaveLength(1);
    expect((await run(["cost", "--unconfirmed"])).out).toContain("the database was damaged, and amounts of this time");
    expect(await run(["cost", "settle", id, "--amount", "3", "--yes"])).toMatchObject({ code: 0 });
    expect(await run(limited)).toMatchObject({ code: 0 });
    expect((await run(["cost"])).out).toContain("this month $3.0");
  });

  test("a run starts when the logs have all amounts, or the database is gone with its logs", {
    timeout: 120_000,
  }, async (context) => {
    const { run, database, home } = await homeWithRun(context, 3);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(database + suffix, { force: true });
    expect((await run(limited)).code).toBe(1);
    expect((await run(["doctor", "--rebuild"])).code).toBe(0);
    expect(await run(limited)).toMatchObject({ code: 0 });
    expect((await run(["cost"])).out).toContain("this month $0.090");
    for (const name of files(home)) rmSync(join(home, name), { recursive: true });
    expect(await run(limited)).toMatchObject({ code: 0 });
  });
});
