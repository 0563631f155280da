import { basename } from "node:path";
import { conflicts, type Places } from "./conflicts.ts";
import { dottedKey, shownKey } from "./dotted-key.ts";
import { layerOf } from "./origin.ts";
import { type Config, configSchema } from "./schema.ts";
import type { Whole } from "./whole.ts";
import { shown } from "./words.ts";

/** A whole configuration, or sentences about what is missing or does not go together. */
export type CompletedConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Fills in the defaults, and looks at what only all layers together show. */
export function completeConfig(whole: Whole): CompletedConfig {
  const parsed = configSchema.safeParse(whole.table);
  if (!parsed.success)
    return {
      ok: false,
      problems: parsed.error.issues.map(({ path, message }) => unfinished(path.map(String), message, whole)),
    };
  const problems = conflicts(parsed.data, placesIn(whole));
  return problems.length === 0 ? { ok: true, config: parsed.data } : { ok: false, problems };
}

/** Something is missing that only the layers together could have. */
function unfinished(path: readonly string[], message: string, whole: Whole): string {
  const parent = path.slice(0, -1);
  const near = [...whole.settings].find(([key]) => key.startsWith(`${dottedKey(parent)}.`))?.[1];
  const sentence = near === undefined ? `${shownKey(path)}: ${message}` : `${shownKey(parent)} has no ${path.at(-1)}`;
  return near === undefined ? sentence : `${near.at}: ${sentence}`;
}

function placesIn({ settings }: Whole): Places {
  const colon = (place: string | undefined) => (place === undefined || place === "" ? "" : `${place}: `);
  const at = (key: string) => settings.get(key)?.at;
  const layer = (key: string) => layerOf(settings.get(key)?.origin ?? "default");
  return {
    before: (...keys) => colon(keys.map(at).find(Boolean)),
    below: (key) => colon([...settings.values()].find(({ path }) => dottedKey(path).startsWith(`${key}.`))?.at),
    isEarlier: (key, than) => layer(key) > 0 && layer(key) < layer(than),
    value: (key, value) =>
      `${key} is ${shown(value)} (${settings.has(key) ? basename(at(key) || "a flag") : "the default"})`,
  };
}
