import { join } from "node:path";
import type { Home } from "../home.ts";
import type { Io } from "../io.ts";
import { plainText } from "../render/terminal/plain-text.ts";
import { completeConfig } from "./complete-config.ts";
import { dottedKey } from "./dotted-key.ts";
import { envLayer } from "./env-layer.ts";
import { type FileLayer, fileLayer, shownPath } from "./file-layer.ts";
import { type FlagValues, flagLayer } from "./flag-layer.ts";
import type { Origin } from "./origin.ts";
import type { Setting } from "./read-layer.ts";
import type { Config } from "./schema.ts";
import { allKeys, keyOf } from "./shape.ts";
import { tighten } from "./tighten.ts";
import { readTrusted, trustedPath } from "./trust.ts";
import { emptyWhole, laySetting, valueAt, type Whole } from "./whole.ts";

export type { FlagValues } from "./flag-layer.ts";
export type { Origin } from "./origin.ts";

/** Where the configuration comes from. */
export interface LoadOptions {
  readonly env: Io["env"];
  /** Where the project's file is looked for; the folders above are not. */
  readonly cwd: string;
  readonly home: Home;
  readonly flags?: FlagValues;
}

/** The configuration with where each value comes from and sentences for stderr; or all that is wrong with it, each as `file:line:column: sentence`. */
export type LoadedConfig =
  | {
      readonly ok: true;
      readonly config: Config;
      readonly origins: ReadonlyMap<string, Origin>;
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The name of a project's file. */
export const projectFileName = "sheepdog.toml";

/** Loads the configuration: defaults, the user's file, the project's, the environment, flags; the later over the earlier. */
export async function loadConfig({ env, cwd, home, flags = {} }: LoadOptions): Promise<LoadedConfig> {
  const projectFile = join(cwd, projectFileName);
  const user = await fileLayer({ file: home.configFile, cwd, env, isProject: false, isTrusted: () => true });
  const project = await projectLayer(projectFile, { env, cwd, home });
  const above = [envLayer(env), flagLayer(flags)];
  const whole = emptyWhole();
  for (const setting of user.settings) laySetting(whole, setting);
  const ignored = layProject(whole, project);
  for (const setting of above.flatMap(({ settings }) => settings)) laySetting(whole, setting);
  const problems = [user, project, ...above].flatMap((layer) => layer.problems);
  if (problems.length > 0) return refused(problems);
  const completed = completeConfig(whole);
  if (!completed.ok) return refused(completed.problems);
  return {
    ok: true,
    config: completed.config,
    origins: originsOf(whole),
    notes: notesOf(ignored, shownPath(projectFile, cwd)),
  };
}

/** The project's layer; not trusted unless the user has said so of this very content. */
async function projectLayer(
  file: string,
  { env, cwd, home }: Pick<LoadOptions, "env" | "cwd" | "home">,
): Promise<FileLayer> {
  const trusted = (await readTrusted(home)).get(await trustedPath(file));
  return fileLayer({ file, cwd, env, isProject: true, isTrusted: (hash) => hash === trusted });
}

/** Lays the project's settings over what is there, the untrusted ones only where they make it stricter; gives back those that were left out. */
function layProject(whole: Whole, { settings, isTrusted }: FileLayer): readonly Setting[] {
  const ignored: Setting[] = [];
  for (const setting of settings) {
    const tightened = isTrusted
      ? ({ isAllowed: true, value: setting.value } as const)
      : tighten(setting, valueSoFar(whole, setting.path));
    if (tightened.isAllowed) laySetting(whole, { ...setting, value: tightened.value });
    else ignored.push(setting);
  }
  return ignored;
}

function valueSoFar({ table }: Whole, path: readonly string[]): unknown {
  return valueAt(table, path) ?? allKeys.get(dottedKey(path))?.note.default;
}

function notesOf(ignored: readonly Setting[], file: string): readonly string[] {
  if (ignored.length === 0) return [];
  const keys = ignored.map(({ path }) => plainText(dottedKey(path)));
  const listed = keys.length > 10 ? [...keys.slice(0, 9), `${keys.length - 9} more`] : keys;
  return [
    `${file} is not trusted, so it may only make limits stricter; ignored: ${listed.join(", ")}. To see and trust it: sheepdog config trust`,
  ];
}

/** By dotted key: each key, and within a key of many parts each that was set. */
function originsOf({ settings }: Whole): ReadonlyMap<string, Origin> {
  const origins = new Map<string, Origin>([...allKeys.keys()].map((key) => [key, "default"]));
  for (const [key, { path, origin }] of settings)
    origins.set(keyOf(path)?.path.join(".") ?? key, origin).set(key, origin);
  return origins;
}

function refused(problems: readonly string[]): LoadedConfig {
  return { ok: false, problems: problems.map(plainText) };
}
