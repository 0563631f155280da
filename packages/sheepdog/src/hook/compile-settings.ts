import type { Policy } from "@sheepdog/guardian";
import type { PriceOverrides } from "@sheepdog/records";
import { storeRates } from "@sheepdog/records/follow";
import { loadValidConfig, type ValidConfig } from "../config/load-config.ts";
import { buildValidPolicy } from "../config/policy/run-policy.ts";
import type { Home } from "../home.ts";
import { counted, dollars } from "../render/terminal/amounts.ts";
import { type HookSettings, knownModels, type SettingsSource, settingsKey, writeSettings } from "./hook-settings.ts";
import { readLastGood, saveLastGood } from "./last-good-settings.ts";

/**
 * Makes the settings of hooks from the configuration that applies in a folder, and stores them. `models` are those
 * whose prices are wanted besides the ones that are known.
 */
export async function compileSettings(
  home: Home,
  source: SettingsSource,
  models: readonly string[] = [],
): Promise<HookSettings> {
  const key = settingsKey(home, source); // before the files are read: a later change makes another key
  const wantedModels = new Set([...knownModels(home), ...models]);
  const { goodFiles, ...settings } = await makeSettings(home, source, [...wantedModels].slice(-MAX_MODELS));
  saveLastGood(home, goodFiles);
  writeSettings(home, key, settings);
  return settings;
}

/**
 * What hooks go by in a folder, without the prices of models. Remembers what holds if the configuration is broken
 * later; a home that cannot be written has no such memory.
 */
export async function hookSettings(
  home: Home,
  source: Pick<SettingsSource, "cwd" | "env">,
): Promise<Pick<HookSettings, "policy" | "problem">> {
  const { goodFiles, ...settings } = await makeSettings(home, source, []);
  try {
    saveLastGood(home, goodFiles);
  } catch {
    // as above
  }
  return settings;
}

const MAX_MODELS = 100;

async function makeSettings(
  home: Home,
  { cwd, env }: Pick<SettingsSource, "cwd" | "env">,
  models: readonly string[],
): Promise<HookSettings & Pick<ValidConfig, "goodFiles">> {
  const lastGood = readLastGood(home);
  const { config, problems, goodFiles } = await loadValidConfig({ home, cwd, env }, (file) => lastGood[file] ?? {});
  const policy = buildValidPolicy(config);
  const overrides = config.budget.pricing_overrides as PriceOverrides; // the schema allows numbers only
  const rates = await ratesOf(models, overrides);
  const settings = { policy, rates, goodFiles };
  return problems.length === 0 ? settings : { ...settings, problem: problemSentence(problems, policy) };
}

/** A wrong configuration must not stop the user's agent, and must not take its limits away unseen. */
function problemSentence([first = "unknown", ...others]: readonly string[], { limits }: Policy): string {
  const more = others.length === 0 ? "" : ` (and ${counted(others.length, "more problem")})`;
  const held = (["run-cost", "session-cost", "day-cost", "month-cost"] as const).flatMap((name) => {
    const stop = limits[name]?.stop;
    return stop === undefined ? [] : [`${dollars(stop / 1e9)} a ${name.slice(0, -"-cost".length)}`];
  });
  const limited = held.length === 0 ? "No limit of money holds" : `What is valid holds: ${held.join(", ")}`;
  const mistake = `${first}${more}`;
  const stop = /[.?!]$/.test(mistake) ? "" : ".";
  return `The configuration has a mistake: ${mistake}${stop} ${limited}. Correct it, then run: sheepdog doctor`;
}

async function ratesOf(models: readonly string[], overrides: PriceOverrides): Promise<HookSettings["rates"]> {
  if (models.length === 0) return {};
  const { createPrices } = await import("@sheepdog/records");
  const prices = await createPrices({ overrides });
  const at = Date.now();
  return Object.fromEntries(models.map((model) => [model, storeRates(prices.rates({ model, at }))]));
}
