import { defaultPolicy } from "@sheepdog/guardian";
import type { PriceOverrides } from "@sheepdog/records";
import { storeRates } from "@sheepdog/records/follow";
import { loadConfig } from "../config/load-config.ts";
import { buildRunPolicy } from "../config/policy/run-policy.ts";
import type { Home } from "../home.ts";
import { type HookSettings, knownModels, type SettingsSource, settingsKey, writeSettings } from "./hook-settings.ts";

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
  const settings = await makeSettings(home, source, [...wantedModels].slice(-MAX_MODELS));
  writeSettings(home, key, settings);
  return settings;
}

const MAX_MODELS = 100;

async function makeSettings(
  home: Home,
  { cwd, env }: SettingsSource,
  models: readonly string[],
): Promise<HookSettings> {
  const loaded = await loadConfig({ home, cwd, env });
  if (!loaded.ok) return withProblem(loaded.problems, await ratesOf(models, {}));
  const { config } = loaded;
  const overrides = config.budget.pricing_overrides as PriceOverrides; // the schema allows numbers only
  const rates = await ratesOf(models, overrides);
  const chosen = buildRunPolicy(config);
  return chosen.ok ? { policy: chosen.policy, rates } : withProblem(chosen.problems, rates);
}

/** A wrong configuration must not stop the user's agent. */
function withProblem([first = "unknown"]: readonly string[], rates: HookSettings["rates"]): HookSettings {
  const problem = `the configuration cannot be used, and the default policy holds without limits: ${first}`;
  return { policy: defaultPolicy, rates, problem };
}

async function ratesOf(models: readonly string[], overrides: PriceOverrides): Promise<HookSettings["rates"]> {
  if (models.length === 0) return {};
  const { createPrices } = await import("@sheepdog/records");
  const prices = await createPrices({ overrides });
  const at = Date.now();
  return Object.fromEntries(models.map((model) => [model, storeRates(prices.rates({ model, at }))]));
}
