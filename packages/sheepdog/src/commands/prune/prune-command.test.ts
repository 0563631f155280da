import { existsSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome } from "../../../test/test-home.ts";
import { main } from "../../cli.ts";
import { bytesText, readBytes } from "./byte-size.ts";

const file = scratchFolder();
const said = [{ text: "Said." }];

/** A home folder with sessions; the `old` ones are unchanged for 100 days. */
async function aged(folder: string, ...old: string[]) {
  const kept = await openTestHome(folder);
  const then = Date.now() - 100 * 86_400_000;
  let at = then;
  const clock = { now: () => at };
  for (const sessionId of [...old, "ses_new"]) {
    if (sessionId === "ses_new") at = Date.now();
    await kept.runPrompt(sessionId, "Say.", said, {
      clock: { ...(await machineClock()), ...clock },
      log: { dir: kept.home.logDir, level: 3 },
    });
    if (sessionId !== "ses_new")
      for (const path of [join(kept.home.logDir, sessionId), ...(await logsOf(join(kept.home.logDir, sessionId)))])
        await utimes(path, then / 1_000, then / 1_000);
  }
  const sessions = async () => (await kept.stores.sessions.list()).map(({ sessionId }) => sessionId).sort();
  return { ...kept, sessions };
}

async function logsOf(folder: string): Promise<string[]> {
  const { readdir } = await import("node:fs/promises");
  return (await readdir(folder)).map((name) => join(folder, name));
}

async function machineClock() {
  return {
    sleep: async () => {},
    after: (ms: number, act: () => void) => {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
    every: () => () => {},
    random: () => 0.5,
    newId: (prefix: string) => `${prefix}_${Math.random().toString(16).slice(2)}`,
  };
}

describe("pruning", () => {
  test("shows what it would remove, and removes nothing", async () => {
    const { sheepdog, sessions, close } = await aged(await file("home"), "ses_old");
    const { code, out, err } = await sheepdog("prune", "--dry-run");
    expect([code, err]).toEqual([0, ""]);
    expect(out.split("\n")).toEqual([
      expect.stringMatching(/^To be removed \(unchanged for 90 days\): 1 session and the logs of 1, [\d.]+ kB\.$/),
      expect.stringMatching(/^ {2}ses_old {2}\d{4}-\d\d-\d\d {2}[\d.]+ kB {2}Say\.$/),
      "",
    ]);
    expect(await sessions()).toEqual(["ses_new", "ses_old"]);
    const document = JSON.parse((await sheepdog("prune", "--dry-run", "--json", "--older-than", "30d")).out);
    expect(document).toMatchObject({
      schemaVersion: 1,
      isDryRun: true,
      sessions: [{ sessionId: "ses_old", why: "age" }],
      logs: [{ sessionId: "ses_old" }],
      kept: [],
    });
    await close();
  });

  test("removes sessions with their logs, and leaves the ledger alone", async () => {
    const { sheepdog, sessions, home, close } = await aged(await file("home"), "ses_old");
    expect((await sheepdog("prune", "--yes")).out).toMatch(
      /^Removed 1 session and the logs of 1, [\d.]+ kB\. Their costs stay in the ledger\.\n$/,
    );
    expect([await sessions(), existsSync(join(home.logDir, "ses_old"))]).toEqual([["ses_new"], false]);
    expect(JSON.parse((await sheepdog("cost", "--by", "session", "--json")).out).total).toMatchObject({ costUsd: 2 });
    expect((await sheepdog("prune", "--yes")).out).toBe("There was nothing to remove.\n");
    await close();
  });

  test("removes the oldest above the size limit", async () => {
    const { sheepdog, sessions, close } = await aged(await file("home"), "ses_old");
    await sheepdog("prune", "--yes", "--max-size", "5kB");
    expect(await sessions()).toEqual(["ses_new"]);
    await close();
  });

  test("leaves running and resumable sessions alone, and reports them", async () => {
    const { startRun, sheepdog, sessions, close } = await aged(await file("home"));
    const { run, release } = await startRun("ses_busy", "Wait.");
    const { err } = await sheepdog("prune", "--yes", "--older-than", "0d", "--with-unfinished");
    expect(err).toMatch(/ses_busy stays: process \d+ on .* works on it/);
    expect(await sessions()).toContain("ses_busy");
    release();
    await run.result;
    await close();
  });

  test("asks at a terminal, and counts anything but yes as no", async () => {
    const { env, sessions, close } = await aged(await file("home"), "ses_old");
    const ask = async (stdin: string) => {
      const io = fakeIo({ env, isTTY: true, stdin });
      return [await main(["prune"], io), io.err()] as const;
    };
    for (const no of ["n\n", "\n", "", "yellow\n"])
      expect(await ask(no)).toEqual([0, "Remove them? [y/N] sheepdog: nothing was removed\n"]);
    expect(await sessions()).toEqual(["ses_new", "ses_old"]);
    expect((await ask("y\n"))[0]).toBe(0);
    expect(await sessions()).toEqual(["ses_new"]);
    await close();
  });

  test("does nothing without a terminal to ask on", async () => {
    const { sheepdog, sessions, close } = await aged(await file("home"), "ses_old");
    for (const argv of [["prune"], ["prune", "--json"]])
      expect(await sheepdog(...argv)).toEqual({
        code: 2,
        out: "",
        err:
          "sheepdog: there is no terminal to ask on, so nothing was removed; use --yes to remove, or --dry-run to " +
          "see what would go\n",
      });
    expect(await sessions()).toEqual(["ses_new", "ses_old"]);
    await close();
  });

  test("removes control messages to runs that have ended", async () => {
    const { sheepdog, home, startRun, close } = await aged(await file("home"));
    const { run, release } = await startRun("ses_busy", "Wait.");
    for (const runId of ["run_over", run.runId]) {
      await mkdir(join(home.controlDir, runId), { recursive: true });
      await utimes(join(home.controlDir, runId), 1, 1);
    }
    await sheepdog("prune", "--yes");
    expect([existsSync(join(home.controlDir, "run_over")), existsSync(join(home.controlDir, run.runId))]).toEqual([
      false,
      true,
    ]);
    release();
    await run.result;
    await close();
  });

  test("removes a cache of look backs that was not used for as long", async () => {
    const { sheepdog, home, close } = await aged(await file("home"));
    await mkdir(home.cacheDir);
    await writeFile(home.lookBackCache, "");
    await sheepdog("prune", "--yes");
    const isKept = existsSync(home.lookBackCache);
    await utimes(home.lookBackCache, 1, 1);
    await sheepdog("prune", "--yes");
    expect([isKept, existsSync(home.lookBackCache)]).toEqual([true, false]);
    await close();
  });

  test.each([
    [["--older-than", "never"], '--older-than is "never"; it must be a time'],
    [["--max-size", "big"], '--max-size is "big"; it must be a size'],
  ])("%j is a usage error", async (argv, sentence) => {
    const io = fakeIo({ env: { SHEEPDOG_HOME: await file("none") } });
    expect([await main(["prune", "--yes", ...argv], io), io.out()]).toEqual([2, ""]);
    expect(io.err()).toContain(sentence);
  });
});

test("sizes are read and written with their unit", () => {
  expect(["500MB", "1GB", "1.5 kb", "12", "1T", "big", "-1"].map(readBytes)).toEqual([
    5e8,
    1e9,
    1500,
    12,
    1e12,
    undefined,
    undefined,
  ]);
  expect([12, 12_345, 1_234_567, 2.5e9].map(bytesText)).toEqual(["12 B", "12.3 kB", "1.2 MB", "2.5 GB"]);
});

test("an agent's prune leaves the audit trail alone", async () => {
  const folder = await file("home");
  const { runPrompt, stores, close } = await openTestHome(folder);
  const then = Date.now() - 400 * 86_400_000;
  const clock = { ...(await machineClock()), now: () => then };
  await runPrompt("ses_old", "Say.", [{ calls: [{ tool: "echo", input: { text: "x" } }] }, ...said], { clock });
  const prune = async (env: Readonly<Record<string, string>>) => {
    const io = fakeIo({ cwd: folder, env: { SHEEPDOG_HOME: folder, ...env } });
    expect(await main(["prune", "--yes"], io)).toBe(0);
    return (await stores.audit.list()).length;
  };
  expect(await prune({ SHEEPDOG_CALL: "call_1" })).toBe(1);
  expect(await prune({})).toBe(0);
  await close();
});
