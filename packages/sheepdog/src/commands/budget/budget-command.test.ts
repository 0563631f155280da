import { mkdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome } from "../../../test/test-home.ts";
import { receiveMessages } from "../../control/index.ts";
import { addSpent } from "../../hook/money-spent.ts";
import { readMoney, readTime, readTokens, readTurns } from "../read-amount.ts";
import { readRaiseRequest } from "./raise-request.ts";

const file = scratchFolder();

describe("the budget", () => {
  test("shows each limit, its origin, and what is spent and left", async () => {
    const { runPrompt, sheepdog, home, close } = await openTestHome(await file("home"));
    await writeFile(
      home.configFile,
      "[budget]\nmonthly_limit_cents = 2000\nwarning_threshold_cents = 1500\nper_run_limit_cents = 150\n",
    );
    await runPrompt("ses_a", "Say.", [{ calls: [{ tool: "echo", input: { text: "a" } }] }, { text: "Done." }]);
    const { code, out, err } = await sheepdog("budget");
    expect([code, err]).toEqual([0, ""]);
    const lines = out.split("\n");
    expect(lines[0]).toMatch(/^BUDGET +SPENT +LIMIT +LEFT +SET IN$/);
    expect(lines[1]).toMatch(/^month +\$2\.00 +\$20\.00 +\$18\.00 +█░{9} 10 % warns at \$15\.00 +.*config\.toml:2$/);
    expect(lines[2]).toMatch(/^day +\$2\.00 +none$/);
    expect(lines[3]).toMatch(/^session +each +none$/);
    expect(lines[4]).toMatch(/^run +each +\$1\.50 +warns at \$1\.20 +.*config\.toml:4$/);
    expect(out).toContain("A run also ends after 25 turns or 10 min.");
    const { limits, running } = JSON.parse((await sheepdog("budget", "--json")).out);
    expect(limits[0]).toEqual({
      scope: "month",
      limitUsd: 20,
      warnUsd: 15,
      spentUsd: 2,
      leftUsd: 18,
      origin: expect.stringMatching(/config\.toml:2$/),
    });
    expect(limits[2]).toEqual({
      scope: "session",
      limitUsd: null,
      warnUsd: null,
      spentUsd: null,
      leftUsd: null,
      origin: "default",
    });
    expect(running).toEqual([]);
    await close();
  });

  test("says what attached agents have spent, which is counted apart", async () => {
    const { sheepdog, home, close } = await openTestHome(await file("home"));
    expect((await sheepdog("budget")).out).not.toContain("Attached");
    await mkdir(home.attachDir, { recursive: true });
    addSpent(home, 1_500_000_000, Date.now());
    const { out } = await sheepdog("budget");
    expect(out.replace(/\s+/g, " ")).toContain("Attached agents have spent $1.50 today and $1.50 this month.");
    expect(out).toMatch(/^day +\$0 /m);
    await close();
  });

  test("lists running runs", async () => {
    const { startRun, sheepdog, close } = await openTestHome(await file("home"));
    const { run, release } = await startRun("ses_a", "Wait for it.");
    const { out } = await sheepdog("budget");
    expect(out).toContain("No budget is set");
    expect(out).toMatch(/RUNNING NOW\nrun_\w{8} {2}\$[\d.]+ {2}0 turns {2}Wait for it\.\n/);
    expect(JSON.parse((await sheepdog("budget", "--json")).out).running).toMatchObject([
      { runId: run.runId, state: "waiting_for_tool", raisedToUsd: null },
    ]);
    release();
    await run.result;
    await close();
  });

  test("is set in the user's file, whose comments stay, and removed again", async () => {
    const { sheepdog, home, close } = await openTestHome(await file("home"));
    await writeFile(home.configFile, "# mine\n[budget] # money\nper_day_limit_cents = 100 # a dollar\n");
    expect(await sheepdog("budget", "set", "month", "20")).toEqual({
      code: 0,
      out: `The month budget is now $20.00 (${home.configFile}). Runs that are already running keep their limits.\n`,
      err: "",
    });
    expect((await sheepdog("budget", "set", "run", "$0.5")).code).toBe(0);
    expect((await sheepdog("budget", "set", "day", "off")).out).toContain("The day budget is now off");
    const text = await readFile(home.configFile, "utf8");
    for (const part of [
      "# mine",
      "# money",
      "# a dollar",
      "monthly_limit_cents = 2000",
      "per_run_limit_cents = 50",
      "per_day_limit_cents = 0",
    ])
      expect(text).toContain(part);
    const { limits } = JSON.parse((await sheepdog("budget", "--json")).out);
    expect(limits.map(({ limitUsd }: { limitUsd: number }) => limitUsd)).toEqual([20, null, null, 0.5]);
    await close();
  });

  test("moves a warning that would be above the limit, and reports it", async () => {
    const { sheepdog, home, close } = await openTestHome(await file("home"));
    await writeFile(home.configFile, "[budget]\nmonthly_limit_cents = 2000\nwarning_threshold_cents = 1500\n");
    const { code, out, err } = await sheepdog("budget", "set", "month", "10");
    expect([code, out, err]).toEqual([
      0,
      `The month budget is now $10.00, with a warning at $8.00 (${home.configFile}). Runs that are already running ` +
        `keep their limits.\n`,
      "",
    ]);
    expect(await readFile(home.configFile, "utf8")).toBe(
      "[budget]\nmonthly_limit_cents = 1000\nwarning_threshold_cents = 800\n",
    );
    await close();
  });

  test("reports a higher layer that overrides it", async () => {
    const { sheepdog, env, close } = await openTestHome(await file("home"));
    env["SHEEPDOG_BUDGET__MONTHLY_LIMIT_CENTS"] = "500";
    const { code, err } = await sheepdog("budget", "set", "month", "20");
    expect([code, err]).toEqual([
      0,
      "sheepdog: in this folder the month budget is still $5.00, set in SHEEPDOG_BUDGET__MONTHLY_LIMIT_CENTS\n",
    ]);
    await close();
  });

  test.each([
    [["set", "year", "20"], '"year" has no budget; it must be month, day, session, run'],
    [["set", "month", "0"], '"0" is not an amount of money'],
    [["set", "month", ""], "a shell expands $5"],
    [["set", "month", ".50"], '".50" is not an amount of money'],
    [["set", "month", "00"], '"00" is not an amount of money'],
    [["set", "month", "-5"], '"-5" is not an amount of money'],
    [["st"], "there is no command st; budget has set, raise"],
    [["set", "month", "1e999"], "not an amount of money"],
    [["set", "month", "99999999999"], "not an amount of money"],
    [["raise", "last", "lots"], '"lots" is not an amount of money'],
    [["raise", "last", "turns", "0"], '"0" is not a number of turns'],
    [["raise", "last", "time", "soon"], '"soon" is not a time'],
    [["raise", "last", "tokens", "1Q"], '"1Q" is not a number of tokens'],
    [["raise", "last", "moons", "3"], '"moons" is not a limit that can be raised'],
    [["raise", "last", "5"], "there are no runs yet"],
    [["raise", "../x", "5"], "this is not the id"],
  ])("%j is a usage error", async (argv, sentence) => {
    const { sheepdog, close } = await openTestHome(await file("home"));
    const { code, out, err } = await sheepdog("budget", ...argv);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
    await close();
  });
});

describe("raising a limit of a run", () => {
  test("reaches a running run", async () => {
    const { startRun, sheepdog, home, stores, close } = await openTestHome(await file("home"));
    const { run, release } = await startRun("ses_a", "Wait.");
    receiveMessages(home, run);
    expect(await sheepdog("budget", "raise", "ses_a", "5")).toEqual({
      code: 0,
      out: `${run.runId}: the cost limit is now $5.00.\n`,
      err: "",
    });
    expect((await sheepdog("budget", "raise", "ses_a", "turns", "+25")).out).toBe(
      `${run.runId}: the turn limit is now 50 turns.\n`,
    );
    expect((await sheepdog("budget", "raise", "ses_a", "time", "20m")).out).toBe(
      `${run.runId}: the time limit is now 20 min.\n`,
    );
    expect((await sheepdog("budget", "raise", "ses_a", "tokens", "1M")).out).toBe(
      `${run.runId}: the token limit is now 1 M tokens.\n`,
    );
    release();
    await run.result;
    const changed = (await stores.events.after("ses_a", 0)).filter(({ type }) => type === "LimitChanged");
    expect(changed).toMatchObject([
      { limit: "run-cost", stop: 5e9, warn: 4e9 },
      { limit: "turns", stop: 50 },
      { limit: "time", stop: 1_200_000 },
      { limit: "run-tokens", stop: 1e6, warn: 8e5 },
    ]);
    await close();
  });

  test("adds to the limit the run was started with", async () => {
    const { startRun, sheepdog, home, close } = await openTestHome(await file("home"));
    const { run, release } = await startRun("ses_a", "Wait.", { settings: { maxTurns: 100 } });
    receiveMessages(home, run);
    expect((await sheepdog("budget", "raise", "ses_a", "turns", "+10")).out).toBe(
      `${run.runId}: the turn limit is now 110 turns.\n`,
    );
    const more = await Promise.all([1, 2].map(() => sheepdog("budget", "raise", "ses_a", "turns", "+10")));
    expect(more.map(({ out }) => out).sort()).toEqual(
      [120, 130].map((turns) => `${run.runId}: the turn limit is now ${turns} turns.\n`),
    );
    expect(await sheepdog("budget", "raise", "ses_a", "+2")).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("has no cost limit to add to"),
    });
    release();
    await run.result;
    await close();
  });

  test("reports a run that does not answer", async () => {
    const { startRun, sheepdog, close } = await openTestHome(await file("home"));
    const { run, release } = await startRun("ses_a", "Wait.");
    expect(await sheepdog("budget", "raise", "ses_a", "5")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("did not answer, so nothing was changed"),
    });
    release();
    await run.result;
    await close();
  });

  test("of an ended run names the command that resumes it with more", async () => {
    const { runPrompt, sheepdog, close } = await openTestHome(await file("home"));
    const { runId } = await runPrompt("ses_a", "Go.", [{ calls: [{ tool: "echo", input: { text: "a" } }] }], {
      settings: { maxTurns: 1 },
    });
    const { code, err } = await sheepdog("budget", "raise", "last", "turns", "50");
    expect([code, err]).toEqual([
      2,
      `sheepdog: ${runId} is not running (ended: max turns); to resume it with the new limit: sheepdog run ` +
        `--resume ses_a --max-turns 50\n`,
    ]);
    expect((await sheepdog("budget", "raise", "last", "turns", "+10")).err).toContain(
      "sheepdog run --resume ses_a --max-turns 10\n",
    );
    expect((await sheepdog("budget", "raise", "last", "4")).err).toContain(
      "sheepdog run --resume ses_a --max-cost 4\n",
    );
    expect((await sheepdog("budget", "raise", "last", "month", "50")).err).toContain(
      "--set budget.monthly_limit_cents=5000\n",
    );
    await close();
  });
});

test("amounts are read as users write them", () => {
  expect(["5", "2.50", "$5", "0.000000001"].map(readMoney)).toEqual(
    [5e9, 2.5e9, 5e9, 1].map((value) => ({ ok: true, value })),
  );
  expect(["50000", "500k", "1M", "1.5 m"].map(readTokens)).toEqual(
    [50_000, 500_000, 1e6, 1.5e6].map((value) => ({ ok: true, value })),
  );
  expect([readTurns("50"), readTime("90s"), readTime("20m")]).toEqual(
    [50, 90_000, 1_200_000].map((value) => ({ ok: true, value })),
  );
  expect(readRaiseRequest(["+2"])).toMatchObject({ ok: true, value: { limit: "run-cost", amount: 2e9, isMore: true } });
  expect(readRaiseRequest(["constructor", "2"])).toMatchObject({ ok: false });
});
