import { redactSecrets } from "@sheepdog/guardian/secrets";
import { allKeys, keyOf } from "./config-shape.ts";
import { type FlagValues, flagLayer } from "./flag-layer.ts";
import { createMergedSettings, mergeSetting, valueAt } from "./merged-settings.ts";
import type { Config } from "./schema.ts";

/**
 * Sections whose settings belong to a run: it keeps them in another process. The other ones (permissions, budgets over
 * several runs, prices, channels, MCP servers, logs) are those of the configuration at that time, unless they were
 * flags or environment variables of the run.
 */
const runSections: readonly string[] = ["agent", "model", "fallback_models"];
const runKeys: readonly string[] = [
  "budget.per_run_limit_cents",
  "budget.per_run_limit_tokens",
  "budget.per_run_warning_percent",
  "budget.unpriced",
];
const otherKeys: readonly string[] = ["agent.checkpoint.enabled", "agent.log.level", "agent.log.dir"];

/** What is recorded of a run: its settings by dotted key, and the keys whose values are left out. */
export interface RecordedSettings {
  readonly settings: FlagValues;
  readonly omitted: readonly string[];
}

/** Characters of one value, and of all of them, as JSON. */
const MAX_VALUE = 4_000;
const MAX_TOTAL = 16_000;

/** Whether a run keeps the setting at a path, or what is below it. */
export function isRunKey(path: readonly string[]): boolean {
  const key = keyOf(path)?.path.join(".") ?? "";
  if (otherKeys.includes(key)) return false;
  return runKeys.includes(key) || runSections.includes(path[0] ?? "");
}

/**
 * The settings of a run that starts: what belongs to it and is not the default, and the other ones that were `given` by
 * flags or the environment. A value that may hold a secret is left out, and one that is too long.
 */
export function recordSettings(config: Config, given: FlagValues): RecordedSettings {
  const settings: Record<string, unknown> = {};
  const omitted: string[] = [];
  let total = 0;
  const record = (key: string, value: unknown) => {
    const json = JSON.stringify(value);
    total += json.length;
    const isTooLong = json.length > MAX_VALUE || total > MAX_TOTAL;
    if (isTooLong || mayHoldSecret(key, json)) omitted.push(key);
    else settings[key] = value;
  };
  for (const [key, { path, note }] of allKeys) {
    const value = valueAt(config, path);
    if (isRunKey(path) && value !== undefined && JSON.stringify(value) !== JSON.stringify(note.default))
      record(key, value);
  }
  for (const [key, value] of Object.entries(given)) record(key, value);
  return { settings, omitted };
}

/** Servers and channels have passwords, tokens and headers; other texts are searched for secrets. */
function mayHoldSecret(key: string, json: string): boolean {
  if (/^(?:mcp|channels|opentelemetry)\b/.test(key)) return true;
  return redactSecrets(json) !== json || /\/\/[^/@\s"]+@/.test(json);
}

/** The value of a setting in a run: as recorded, or the default. */
export function recordedValue(settings: FlagValues, key: string): unknown {
  return settings[key] ?? allKeys.get(key)?.note.default;
}

/** The configuration with the settings of a run. Those that do not fit the configuration any more are left out. */
export function withRunSettings(config: Config, settings: FlagValues): Config {
  const merged = createMergedSettings();
  Object.assign(merged.table, structuredClone(config));
  for (const [key, { path }] of allKeys)
    if (isRunKey(path) && !(key in settings)) setValue(merged.table, path, recordedValue(settings, key));
  for (const setting of flagLayer(settings).settings) mergeSetting(merged, setting);
  return merged.table as Config; // the same keys with values that the shape of the configuration accepts
}

function setValue(table: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const parent = valueAt(table, path.slice(0, -1)) as Record<string, unknown> | undefined; // a section
  if (parent !== undefined) parent[path.at(-1) ?? ""] = value;
}
