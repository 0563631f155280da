import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LimitName } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { type Home, resolveHome } from "../home.ts";
import { compileSettings } from "./compile-settings.ts";
import type { HookSettings } from "./hook-settings.ts";

const file = scratchFolder();

interface Sources {
  readonly user?: string | Uint8Array;
  readonly project?: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function machine() {
  const home = resolveHome({ SHEEPDOG_HOME: dirname(await file("home/x", "")) });
  const cwd = dirname(await file("project/x", ""));
  return {
    home,
    compile({ user = "", project, env = {} }: Sources): Promise<HookSettings> {
      rmSync(home.configFile, { recursive: true, force: true });
      writeFileSync(home.configFile, user);
      const projectFile = join(cwd, "sheepdog.toml");
      if (project === undefined) rmSync(projectFile, { force: true });
      else writeFileSync(projectFile, project);
      return compileSettings(home, { cwd, env, build: "b" });
    },
  };
}

const cents = ({ policy }: HookSettings, name: LimitName) => (policy.limits[name]?.stop ?? 0) / 1e7;
const good = "[budget]\nper_run_limit_cents = 100\nper_day_limit_cents = 500\n";
const held = "What is valid holds: $1.00 a run, $5.00 a day. Correct it, then run: sheepdog doctor";

test.each([
  ["an unknown section", `${good}[channles]\nx = 1\n`],
  ["an unknown key in the same section", `${good}per_month = 1\n`],
  ["a wrong value in the same section", `${good}monthly_limit_cents = "much"\n`],
  ["a wrong value in another section", `[agent]\nmax_turns = -1\n${good}`],
  ["invalid TOML below", `${good}[agent]\nmax_turns = = 3\n`],
  ["invalid TOML above", `[agent]\nmax_turns = = 3\n${good}`],
  ["invalid TOML in a line of the same section", `${good}monthly_limit_cents = 20o\n`],
  ["a section that is there twice", `${good}[agent]\nmax_turns = 3\n[agent]\nmax_turns = 3\n`],
  ["a price without its half", `${good}[budget.pricing_overrides."m"]\ninput = 3\n`],
  ["values that contradict each other", `${good}warning_threshold_cents = 9\nmonthly_limit_cents = 8\n`],
  [
    "counts of a detector that contradict each other",
    `${good}[agent.guardian.detectors]\ncycle = { hint = 9, warn = 2 }\n`,
  ],
])("with %s, the limits hold, and the sentence says which", async (_, user) => {
  const { compile } = await machine();
  const settings = await compile({ user });
  expect([cents(settings, "run-cost"), cents(settings, "day-cost")]).toEqual([100, 500]);
  expect(settings.problem).toMatch(/^The configuration has a mistake: .*config\.toml:\d+:\d+: /);
  expect(settings.problem).toContain("$1.00 a run, $5.00 a day");
});

test("of what was stored when a file was good, only values that are still valid hold", async () => {
  const { home, compile } = await machine();
  await compile({ user: good });
  const store = join(home.attachDir, "last-good.json");
  const stored = {
    "budget.per_run_limit_cents": "much",
    "agent.of_an_older_version": 1,
    "budget.per_day_limit_cents": 500,
  };
  writeFileSync(store, JSON.stringify({ [home.configFile]: stored }));
  const settings = await compile({ user: "[budget\n" });
  expect([cents(settings, "run-cost"), cents(settings, "day-cost")]).toEqual([0, 500]);
});

test("wrong variables and wrong files of projects take no limit away either", async () => {
  const { compile } = await machine();
  for (const env of [{ SHEEPDOG_FOO: "1" }, { SHEEPDOG_BUDGET__PER_RUN_LIMIT_CENTS: "one" }]) {
    const settings = await compile({ user: good, env });
    expect(cents(settings, "run-cost")).toBe(100);
    expect(settings.problem).toMatch(/^The configuration has a mistake: SHEEPDOG_/);
    expect(settings.problem).toContain(held);
  }
  const settings = await compile({
    user: good,
    project: "[budget]\nper_run_limit_cents = 50\nper_day_limit_cents = x\n",
  });
  expect([cents(settings, "run-cost"), cents(settings, "day-cost")]).toEqual([50, 500]);
  expect(settings.problem).toContain("sheepdog.toml:3:");
  const raised = await compile({
    user: good,
    project: "[budget]\nper_run_limit_cents = 900\nper_day_limit_cents = x\n",
  });
  expect(cents(raised, "run-cost")).toBe(100); // an untrusted project only tightens
});

test("the guardian's own keys hold where they are valid", async () => {
  const { compile } = await machine();
  const detectors = "[agent.guardian.detectors]\nno-progress = 'off'\ncycle = { hint = 9, warn = 2 }\n";
  const guardian = `[agent.guardian]\nmode = 'advise'\n${detectors}`;
  const { policy } = await compile({ user: `${guardian}[channles]\nx = 1\n` });
  expect(policy.mode).toBe("advise");
  expect(policy.detectors["no-progress"]).toBeUndefined();
  expect(policy.detectors.cycle?.hint).toBeLessThan(9);
});

const unreadable: readonly (readonly [string, (home: Home) => void])[] = [
  ["is a folder", ({ configFile }) => mkdirSync(configFile)],
  ["is a link to itself", ({ configFile }) => symlinkSync(configFile, configFile)],
  ["is UTF-16", ({ configFile }) => writeFileSync(configFile, Buffer.from("\uFEFF[budget]\n", "utf16le"))],
  ["has nothing that is valid", ({ configFile }) => writeFileSync(configFile, "[budget\nper_run_limit_cents 100\n")],
  [
    "has a limit that is misspelled now",
    ({ configFile }) => writeFileSync(configFile, `${good.replace("run_l", "runl")}`),
  ],
];

test.each(unreadable)("where the file %s, the last good limits hold, also without the cache", async (_, spoil) => {
  const { home, compile } = await machine();
  await compile({ user: good });
  rmSync(home.configFile);
  rmSync(home.cacheDir, { recursive: true });
  spoil(home);
  const settings = await compileSettings(home, { cwd: "/", env: {}, build: "b" });
  expect([cents(settings, "run-cost"), cents(settings, "day-cost")]).toEqual([100, 500]);
  expect(settings.problem).toContain(held);
  // Again, as with another build: what was good is not forgotten.
  expect(cents(await compileSettings(home, { cwd: "/", env: {}, build: "c" }), "run-cost")).toBe(100);
});

test("a project's file that is a link to itself takes no limit away", async () => {
  const { home } = await machine();
  writeFileSync(home.configFile, good);
  const cwd = dirname(await file("linked/x", ""));
  symlinkSync("sheepdog.toml", join(cwd, "sheepdog.toml"));
  const settings = await compileSettings(home, { cwd, env: {}, build: "b" });
  expect(cents(settings, "run-cost")).toBe(100);
  expect(settings.problem).toContain(held);
});

test("without any good limits the sentence says that none holds", async () => {
  const { home, compile } = await machine();
  for (const store of [undefined, "{", '{"x":[null]}', "[]"]) {
    if (store !== undefined) {
      mkdirSync(home.attachDir, { recursive: true });
      writeFileSync(join(home.attachDir, "last-good.json"), store);
    }
    const { policy, problem } = await compile({ user: "[budget\n" });
    expect(policy.limits["run-cost"]?.stop).toBeUndefined();
    expect(problem).toContain("No limit of money holds. Correct it");
  }
});

test("a limit that is taken out of a file without mistakes is gone", async () => {
  const { compile } = await machine();
  await compile({ user: good });
  const settings = await compile({ user: "" });
  expect([cents(settings, "run-cost"), settings.problem]).toEqual([0, undefined]);
  expect(cents(await compile({ user: "[budget\n" }), "run-cost")).toBe(0);
});
