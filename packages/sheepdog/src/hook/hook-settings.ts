import { mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Policy, plainDigest } from "@sheepdog/guardian";
import { readRegularFile } from "@sheepdog/records/files";
import type { StoredRates } from "@sheepdog/records/follow";
import type { Home } from "../home.ts";

/** What hooks need of the configuration, as it is stored. */
export interface HookSettings {
  readonly policy: Policy;
  /** The prices of the models that were seen so far; empty ones are unknown. */
  readonly rates: Readonly<Record<string, StoredRates>>;
  /** The mistake in the configuration, of which only the valid part holds. */
  readonly problem?: string;
}

/** Settings by their keys, newest last. */
interface SettingsFile {
  readonly version: 1;
  readonly entries: Readonly<Record<string, HookSettings>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const MAX_ENTRIES = 20;

/** Variables that are no keys of the configuration. */
const otherVariables: ReadonlySet<string> = new Set([
  "SHEEPDOG_HOME",
  "SHEEPDOG_CALL",
  "SHEEPDOG_MCP_DEPTH",
  "SHEEPDOG_OBSERVE",
]);

/**
 * Identifies everything that settings are made of: the configuration files that apply in a folder, by time and size,
 * the variables of the environment, and the build of the program.
 */
export function settingsKey(home: Home, { cwd, env, build }: SettingsSource): string {
  const projectFile = join(cwd, "sheepdog.toml");
  const project = fileMark(projectFile);
  const variables = Object.entries(env)
    .filter(([name, value]) => name.startsWith("SHEEPDOG_") && !otherVariables.has(name) && value)
    .map(([name, value]) => `${name}=${value}`)
    .sort();
  return plainDigest.of(
    JSON.stringify([
      build,
      fileMark(home.configFile),
      ...(project === undefined ? [] : [projectFile, project, fileMark(home.trustFile)]),
      ...variables,
    ]),
  );
}

export interface SettingsSource {
  readonly cwd: string;
  readonly env: Environment;
  /** The mark of the build of this program. */
  readonly build: string;
}

/** A file that cannot be looked at has a mark of its own: reading it says what is wrong with it. */
function fileMark(file: string): string | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats === undefined ? undefined : `${stats.mtimeMs} ${stats.size}`;
  } catch (error) {
    return String(error);
  }
}

/** The stored settings; undefined if none were made with this key, or they are damaged. */
export function readSettings({ hookCache }: Home, key: string): HookSettings | undefined {
  return readFile(hookCache).entries[key];
}

/** The models whose prices any of the stored settings have. */
export function knownModels({ hookCache }: Home): readonly string[] {
  return Object.values(readFile(hookCache).entries).flatMap(({ rates }) => Object.keys(rates));
}

/** Stores settings. Those that were made first are dropped. */
export function writeSettings({ hookCache }: Home, key: string, settings: HookSettings): void {
  const { [key]: _, ...others } = readFile(hookCache).entries;
  const entries = Object.fromEntries([...Object.entries(others), [key, settings] as const].slice(-MAX_ENTRIES));
  mkdirSync(dirname(hookCache), { recursive: true, mode: 0o700 });
  const temporary = `${hookCache}.${process.pid}.tmp`;
  writeFileSync(temporary, JSON.stringify({ version: 1, entries } satisfies SettingsFile), { mode: 0o600 });
  renameSync(temporary, hookCache);
}

/** A file that is missing or damaged has no entries: it is made again. */
function readFile(path: string): SettingsFile {
  try {
    const { version, entries } = JSON.parse(readRegularFile(path)) as Partial<SettingsFile>; // checked here
    if (version === 1 && typeof entries === "object" && entries !== null)
      return { version, entries: Object.fromEntries(Object.entries(entries).filter(([, entry]) => isWhole(entry))) };
  } catch {
    // the same as no file
  }
  return { version: 1, entries: {} };
}

function isWhole(entry: Partial<HookSettings> | null): boolean {
  return typeof entry?.policy?.limits === "object" && typeof entry.rates === "object" && entry.rates !== null;
}
