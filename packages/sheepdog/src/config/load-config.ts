import { join } from "node:path";
import type { Home } from "../home.ts";
import type { Io } from "../io.ts";
import { plainText } from "../render/terminal/plain-text.ts";
import { completeConfig, validConfig } from "./complete-config.ts";
import { allKeys, keyOf } from "./config-shape.ts";
import { dottedKey } from "./dotted-key.ts";
import { envLayer } from "./env-layer.ts";
import { type FileLayer, fileLayer } from "./file-layer.ts";
import { type FlagValues, flagLayer } from "./flag-layer.ts";
import { createMergedSettings, type MergedSettings, mergeSetting, valueAt } from "./merged-settings.ts";
import type { Origin } from "./origin.ts";
import type { Layer, Setting } from "./read-layer.ts";
import { isRunKey, type RecordedSettings } from "./run-settings.ts";
import type { Config } from "./schema.ts";
import { shownPath } from "./shown-path.ts";
import { type TightenedValue, tightenValue } from "./tightened-value.ts";
import { readTrusted, trustedPath } from "./trust.ts";

export type { FlagValues } from "./flag-layer.ts";
export type { Origin } from "./origin.ts";

/** The sources of the configuration. */
export interface LoadOptions {
  readonly env: Io["env"];
  /** The folder of the project's file. Parent folders are not searched. */
  readonly cwd: string;
  readonly home: Home;
  readonly flags?: FlagValues;
  /** What the run to continue was started with: its own settings come from here, and only flags override them. */
  readonly run?: RecordedSettings;
}

/**
 * The configuration with the origin of each value and notes for stderr; or all its problems, each as
 * `file:line:column: sentence`.
 */
export type LoadedConfig =
  | {
      readonly ok: true;
      readonly config: Config;
      /** By dotted key: every key, and below a table of names every entry that was set. */
      readonly origins: ReadonlyMap<string, Origin>;
      /** What the flags, the run to continue and the environment set, except what every run records by itself. */
      readonly given: FlagValues;
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The name of a project's file. */
export const projectFileName = "sheepdog.toml";

/**
 * Loads the configuration. Later layers override earlier ones: defaults, user file, project file, environment, flags.
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { cwd } = options;
  const layers = await readLayers(options);
  const { project, projectFile, higher } = layers;
  const { merged, ignored } = mergeLayers(layers);
  const problems = problemsOf(layers);
  if (problems.length > 0) return refused(problems);
  const completed = completeConfig(merged);
  if (!completed.ok) return refused(completed.problems);
  return {
    ok: true,
    config: completed.config,
    origins: originsOf(merged),
    given: givenBy(higher),
    notes: [
      ...ignoredNotes(ignored, shownPath(projectFile, cwd)),
      ...unknownNotes(project.unknownKeys ?? [], shownPath(projectFile, cwd)),
    ],
  };
}

/** What holds of a configuration, whatever is wrong with it. */
export interface ValidConfig {
  readonly config: Pick<Config, "agent" | "budget">;
  readonly problems: readonly string[];
  /** What the files that have no problem set in these sections, by their paths. */
  readonly goodFiles: ReadonlyMap<string, FlagValues>;
}

/**
 * The sections `agent` and `budget` for a program that a wrong configuration must not stop: every valid value holds.
 * `lastGood` has what a file set when it had no problem; it holds where the file sets nothing valid now.
 */
export async function loadValidConfig(
  options: LoadOptions,
  lastGood: (file: string) => FlagValues,
): Promise<ValidConfig> {
  const layers = await readLayers(options);
  const { merged } = mergeLayers(layers, lastGood);
  const problems = problemsOf(layers);
  const completed = problems.length > 0 ? undefined : completeConfig(merged);
  return {
    config: validConfig(merged),
    problems: (completed?.ok === false ? completed.problems : problems).map(plainText),
    goodFiles: new Map([
      ...goodSettings(layers.userFile, layers.user),
      ...goodSettings(layers.projectFile, layers.project),
    ]),
  };
}

function goodSettings(file: string, { problems, settings }: Layer): readonly (readonly [string, FlagValues])[] {
  const own = settings.filter(({ path }) => isInSections(path));
  return problems.length > 0
    ? []
    : [[file, Object.fromEntries(own.map(({ path, value }) => [dottedKey(path), value]))]];
}

function isInSections([section]: readonly string[]): boolean {
  return section === "agent" || section === "budget";
}

/** The layers, lowest first. */
interface Layers {
  readonly user: FileLayer;
  readonly project: FileLayer;
  readonly projectFile: string;
  readonly userFile: string;
  readonly higher: readonly Layer[];
}

async function readLayers({ env, cwd, home, flags = {}, run }: LoadOptions): Promise<Layers> {
  const userFile = home.configFile;
  const projectFile = join(cwd, projectFileName);
  return {
    userFile,
    user: ofNow(await fileLayer({ file: userFile, cwd, env, isProject: false, isTrusted: () => true }), run),
    projectFile,
    project: ofNow(await projectLayer(projectFile, { env, cwd, home }), run),
    higher: [ofNow(envLayer(env), run), flagLayer(run?.settings ?? {}), flagLayer(flags)],
  };
}

function problemsOf({ user, project, higher }: Layers): readonly string[] {
  return [user, project, ...higher].flatMap(({ problems }) => problems);
}

/**
 * What a file has set before it had problems comes below what it sets now, as far as it is still valid; that of a
 * project only tightens.
 */
function mergeLayers(
  { user, userFile, project, projectFile, higher }: Layers,
  lastGood: (file: string) => FlagValues = () => ({}),
): { readonly merged: MergedSettings; readonly ignored: readonly Setting[] } {
  const merged = createMergedSettings();
  const earlier = (layer: Layer, file: string) =>
    layer.problems.length === 0 ? [] : flagLayer(lastGood(file)).settings;
  for (const setting of [...earlier(user, userFile), ...user.settings]) mergeSetting(merged, setting);
  mergeProject(merged, { settings: earlier(project, projectFile), problems: [], isTrusted: false });
  const ignored = mergeProject(merged, project);
  for (const setting of higher.flatMap(({ settings }) => settings)) mergeSetting(merged, setting);
  return { merged, ignored };
}

/** A layer without the settings that belong to the run to continue. */
function ofNow<L extends Layer>(layer: L, run: RecordedSettings | undefined): L {
  if (run === undefined) return layer;
  const isOfNow = ({ path }: Setting) => !isRunKey(path) || run.omitted.includes(dottedKey(path));
  return { ...layer, settings: layer.settings.filter(isOfNow) };
}

function givenBy(layers: readonly Layer[]): FlagValues {
  const given = createMergedSettings();
  for (const setting of layers.flatMap(({ settings }) => settings))
    if (!isRunKey(setting.path)) mergeSetting(given, setting);
  return Object.fromEntries([...given.settings].map(([key, { path }]) => [key, valueAt(given.table, path)]));
}

/** The layer of the project. It is trusted only if the user has trusted exactly this content. */
async function projectLayer(
  file: string,
  { env, cwd, home }: Pick<LoadOptions, "env" | "cwd" | "home">,
): Promise<FileLayer> {
  const trustedHash = (await readTrusted(home)).get(await trustedPath(file));
  return fileLayer({ file, cwd, env, isProject: true, isTrusted: (hash) => hash === trustedHash });
}

/** Merges the settings of the project; untrusted ones only if they make a limit stricter. Returns the ignored ones. */
function mergeProject(merged: MergedSettings, { settings, isTrusted }: FileLayer): readonly Setting[] {
  const ignored: Setting[] = [];
  for (const setting of settings) {
    const tightened: TightenedValue = isTrusted
      ? { isAllowed: true, value: setting.value }
      : tightenValue(setting, currentValue(merged, setting.path));
    if (tightened.isAllowed) mergeSetting(merged, { ...setting, value: tightened.value });
    if (!tightened.isAllowed || tightened.isPart) ignored.push(setting);
  }
  return ignored;
}

function currentValue({ table }: MergedSettings, path: readonly string[]): unknown {
  const note = allKeys.get(dottedKey(path))?.note;
  return valueAt(table, path) ?? note?.default ?? note?.unset;
}

function ignoredNotes(ignored: readonly Setting[], file: string): readonly string[] {
  if (ignored.length === 0) return [];
  const keys = listKeys(ignored.map(({ path, value }) => dottedKey(path) + (Array.isArray(value) ? " (in part)" : "")));
  return [
    `${file} is not trusted and may only make limits stricter; ignored: ${keys}. ` +
      "To review and trust it: sheepdog config trust",
  ];
}

function unknownNotes(unknownKeys: readonly string[], file: string): readonly string[] {
  if (unknownKeys.length === 0) return [];
  return [`${file} is not trusted and has keys that this version does not know; ignored: ${listKeys(unknownKeys)}`];
}

const MAX_KEYS = 10;
const MAX_KEY_CHARS = 80;

function listKeys(keys: readonly string[]): string {
  const shown = keys.length > MAX_KEYS ? [...keys.slice(0, MAX_KEYS - 1), `${keys.length - MAX_KEYS + 1} more`] : keys;
  return shown.map((key) => plainText(key.slice(0, MAX_KEY_CHARS))).join(", ");
}

function originsOf({ settings }: MergedSettings): ReadonlyMap<string, Origin> {
  const origins = new Map<string, Origin>([...allKeys.keys()].map((key) => [key, "default"]));
  for (const [key, { path, origin }] of settings)
    origins.set(keyOf(path)?.path.join(".") ?? key, origin).set(key, origin);
  return origins;
}

function refused(problems: readonly string[]): LoadedConfig {
  return { ok: false, problems: problems.map(plainText) };
}
