import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "@sheepdog/web/contract";
import { allKeys, type ConfigKey } from "../../config/config-shape.ts";
import { dottedKey, readDottedKey } from "../../config/dotted-key.ts";
import { type LoadedConfig, projectFileName } from "../../config/load-config.ts";
import { valueAt } from "../../config/merged-settings.ts";
import { describeOrigin } from "../../config/origin.ts";
import { readConfigFile } from "../../config/read-config-file.ts";
import { redactText, redactValue } from "../../config/redact-value.ts";
import { tomlValue } from "../../config/toml-value.ts";
import { contentHash, readTrusted, trustedPath } from "../../config/trust.ts";
import type { ViewContext } from "../view-context.ts";

type Setting = Settings["sections"][number]["settings"][number];

/** The configuration as it is in the files now, with the origin of each value. Secrets are replaced. */
export async function settingsView(context: ViewContext): Promise<Settings> {
  const loaded = await context.loadConfig(context.cwd);
  const safe = (texts: readonly string[]) => texts.map((text) => redactText(text, context.env));
  const files = await filesOf(context);
  if (!loaded.ok) return { sections: [], files, notes: [], problems: safe(loaded.problems) };
  return { sections: sectionsOf(loaded, context), files, notes: safe(loaded.notes), problems: [] };
}

async function filesOf({ home, cwd }: ViewContext): Promise<Settings["files"]> {
  const projectFile = join(cwd, projectFileName);
  const project = await readConfigFile(projectFile);
  const trustedHash = (await readTrusted(home)).get(await trustedPath(projectFile));
  return [
    { path: home.configFile, exists: existsSync(home.configFile), isTrusted: null },
    {
      path: projectFile,
      exists: existsSync(projectFile),
      isTrusted: project.ok ? contentHash(project.bytes) === trustedHash : null,
    },
  ];
}

/** Sections in the order of the schema, as in docs/configuration.md. */
function sectionsOf(
  loaded: Extract<LoadedConfig, { ok: true }>,
  context: Pick<ViewContext, "env" | "cwd">,
): Settings["sections"] {
  const config = redactValue(loaded.config, context.env);
  const sections = new Map<string, Setting[]>();
  for (const key of allKeys.values()) {
    const name = key.path.length === 1 ? "At the top" : dottedKey(key.path.slice(0, -1));
    const settings = sections.get(name) ?? [];
    settings.push(...settingsOf(key, config, { origins: loaded.origins, ...context }));
    sections.set(name, settings);
  }
  return [...sections].map(([name, settings]) => ({ name, settings }));
}

/** One setting for each key. A table of names has one for each entry, because entries can have different origins. */
function settingsOf(
  { path, shape, note }: ConfigKey,
  config: unknown,
  { origins, env, cwd }: Pick<ViewContext, "env" | "cwd"> & Pick<Extract<LoadedConfig, { ok: true }>, "origins">,
): readonly Setting[] {
  const fullKey = dottedKey(path);
  const entries = shape.kind === "named" ? [...origins.keys()].filter((key) => key.startsWith(`${fullKey}.`)) : [];
  return (entries.length === 0 ? [fullKey] : entries).map((key) => {
    const value = valueAt(config, readDottedKey(key) ?? path);
    const origin = origins.get(key) ?? "default";
    const hasDefault = note.default !== undefined && key === fullKey;
    return {
      key: redactText(key, env),
      value: value === undefined ? "" : tomlValue(value),
      defaultValue: hasDefault ? tomlValue(note.default) : null,
      origin: describeOrigin(origin, cwd),
      isDefault: origin === "default",
      description: note.description,
    };
  });
}
