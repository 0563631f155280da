import { defaultPolicy } from "@sheepdog/guardian";
import { loadConfig } from "../config/load-config.ts";
import { buildRunPolicy } from "../config/policy/run-policy.ts";
import type { Home } from "../home.ts";
import { type HookSettings, type SettingsSource, settingsKey, writeSettings } from "./hook-settings.ts";

/** Makes the settings of hooks from the configuration that applies in a folder, and stores them. */
export async function compileSettings(home: Home, source: SettingsSource): Promise<HookSettings> {
  const key = settingsKey(home, source); // before the files are read: a later change makes another key
  const settings = await makeSettings(home, source);
  writeSettings(home, key, settings);
  return settings;
}

async function makeSettings(home: Home, { cwd, env }: SettingsSource): Promise<HookSettings> {
  const loaded = await loadConfig({ home, cwd, env });
  if (!loaded.ok) return withProblem(loaded.problems);
  const chosen = buildRunPolicy(loaded.config);
  return chosen.ok ? { policy: chosen.policy } : withProblem(chosen.problems);
}

/** A wrong configuration must not stop the user's agent: detectors work as by default, and limits are unknown. */
function withProblem([first = "unknown problem"]: readonly string[]): HookSettings {
  return { policy: defaultPolicy, problem: `the configuration cannot be used, the default policy holds: ${first}` };
}
