import { dirname, join } from "node:path";
import { memoryStores } from "@sheepdog/agent";
import { doctorSchema, settingsSchema } from "@sheepdog/web/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { testViewContext } from "../../../test/view-context.ts";
import { allKeys } from "../../config/config-shape.ts";
import { resolveHome } from "../../home.ts";
import { doctorView } from "./doctor-view.ts";
import { settingsView } from "./settings-view.ts";

const file = scratchFolder();
beforeEach(
  () =>
    void vi.stubGlobal(
      "fetch",
      vi.fn(() => Promise.reject(new TypeError("fetch failed"))),
    ),
);
afterEach(() => void vi.unstubAllGlobals());

async function context(env: Record<string, string> = {}) {
  const folder = dirname(await file("home/x"));
  const cwd = dirname(await file("project/x"));
  const all = { SHEEPDOG_HOME: folder, PATH: process.env["PATH"] ?? "", ...env };
  return testViewContext({ home: resolveHome(all), stores: memoryStores(), env: all, cwd });
}

test("every key has its value as TOML, its default, origin and description", async () => {
  await file("home/config.toml", "[agent]\nmax_turns = 9\n\n[budget.pricing_overrides.m]\ninput = 1\noutput = 2\n");
  const settings = settingsSchema.parse(await settingsView(await context({ SHEEPDOG_AGENT__MIN_TAIL: "4" })));
  const all = settings.sections.flatMap(({ settings: own }) => own);
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(allKeys.size);
  expect(settings.sections.map(({ name }) => name).slice(0, 3)).toEqual([
    "agent",
    "agent.checkpoint",
    "agent.guardian",
  ]);
  const of = (key: string) => all.find((setting) => setting.key === key);
  expect(of("agent.max_turns")).toEqual({
    key: "agent.max_turns",
    value: "9",
    defaultValue: expect.stringMatching(/^\d+$/),
    origin: expect.stringMatching(/config\.toml:2$/),
    isDefault: false,
    description: expect.stringMatching(/\w/),
  });
  expect(of("agent.min_tail")).toMatchObject({ value: "4", origin: "SHEEPDOG_AGENT__MIN_TAIL" });
  expect(all.filter(({ key }) => key.startsWith("budget.pricing_overrides"))).toMatchObject([
    { key: "budget.pricing_overrides.m.input", value: "1", defaultValue: null },
    { key: "budget.pricing_overrides.m.output", value: "2", defaultValue: null },
  ]);
  expect(all.filter(({ isDefault }) => isDefault).every(({ origin }) => origin === "default")).toBe(true);
});

test("secrets are replaced, in values and in problems", async () => {
  const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
  await file("home/config.toml", `[model]\nprovider = "openai"\nmodel_id = "${secret}"\n`);
  const valid = JSON.stringify(await settingsView(await context({ OPENAI_API_KEY: secret })));
  await file("home/config.toml", `[model]\nprovider = "${secret}"\n`);
  const invalid = await settingsView(await context({ OPENAI_API_KEY: secret }));
  expect([valid.includes(secret), JSON.stringify(invalid).includes(secret)]).toEqual([false, false]);
  expect([invalid.sections, invalid.problems.length > 0]).toEqual([[], true]);
});

test("files are listed with whether they exist and are trusted", async () => {
  const view = await context();
  expect((await settingsView(view)).files).toEqual([
    { path: view.home.configFile, exists: false, isTrusted: null },
    { path: join(view.cwd, "sheepdog.toml"), exists: false, isTrusted: null },
  ]);
  await file("project/sheepdog.toml", '[model]\nprovider = "openai"\n');
  const settings = await settingsView(view);
  expect(settings.files[1]).toMatchObject({ exists: true, isTrusted: false });
  expect(settings.notes).toEqual([expect.stringContaining("is not trusted")]);
});

test("the doctor checks everything but the terminal, and asks no provider", async () => {
  const { checks } = doctorSchema.parse(await doctorView(await context({ OPENAI_API_KEY: "k" })));
  expect(checks.map(({ name }) => name)).not.toContain("terminal");
  expect(checks.find(({ name }) => name === "provider")).toMatchObject({ status: "skipped" });
  expect(checks.find(({ name }) => name === "node")).toMatchObject({ status: "ok", fix: null });
  expect(vi.mocked(fetch).mock.calls).toEqual([]);
});
