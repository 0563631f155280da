import { basename } from "node:path";
import { type ConflictLocations, findConflicts } from "./conflicts.ts";
import { showValue } from "./describe-value.ts";
import { dottedKey, shownKey } from "./dotted-key.ts";
import { type MergedSettings, valueAt } from "./merged-settings.ts";
import { layerRank } from "./origin.ts";
import { type Config, configSchema } from "./schema.ts";

/** A complete configuration, or sentences about missing or contradictory values. */
export type CompletedConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Fills in the defaults, and checks what only the merged layers show. */
export function completeConfig(merged: MergedSettings): CompletedConfig {
  const parsed = configSchema.safeParse(merged.table);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => missingValue(path.map(String), message, merged));
    return { ok: false, problems };
  }
  const problems = findConflicts(parsed.data, conflictLocations(merged));
  return problems.length === 0 ? { ok: true, config: parsed.data } : { ok: false, problems };
}

/** The sections without what is not valid: a table that lacks a value is left out. */
export function validConfig({ table }: MergedSettings): Pick<Config, "agent" | "budget"> {
  const sections = { agent: table["agent"], budget: table["budget"] };
  for (;;) {
    const parsed = configSchema.safeParse(sections);
    if (parsed.success) return parsed.data;
    for (const { path } of parsed.error.issues) {
      const parts = path.slice(0, Math.max(1, path.length - 1)).map(String);
      const parent = valueAt(sections, parts.slice(0, -1)) as Record<string, unknown>; // it has an issue
      delete parent[parts.at(-1) ?? ""];
    }
  }
}

/** Describes a required value that no layer has set. */
function missingValue(path: readonly string[], message: string, { settings }: MergedSettings): string {
  const parent = path.slice(0, -1);
  const sibling = [...settings].find(([key]) => key.startsWith(`${dottedKey(parent)}.`))?.[1];
  if (sibling === undefined) return `${shownKey(path)}: ${message}`;
  return `${sibling.at}: ${shownKey(parent)} has no ${path.at(-1)}`;
}

function conflictLocations({ settings }: MergedSettings): ConflictLocations {
  const withColon = (location: string | undefined) =>
    location === undefined || location === "" ? "" : `${location}: `;
  const at = (key: string) => settings.get(key)?.at;
  const rank = (key: string) => layerRank(settings.get(key)?.origin ?? "default");
  return {
    before: (...keys) => withColon(keys.map(at).find(Boolean)),
    below: (key) => withColon([...settings.values()].find(({ path }) => dottedKey(path).startsWith(`${key}.`))?.at),
    isOverridden: (key, by) => rank(key) > 0 && rank(key) < rank(by),
    value: (key, value) =>
      `${key} is ${showValue(value)} (${settings.has(key) ? basename(at(key) || "a flag") : "the default"})`,
  };
}
