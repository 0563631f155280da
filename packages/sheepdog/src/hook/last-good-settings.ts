import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FlagValues } from "../config/flag-layer.ts";
import type { Home } from "../home.ts";

/** What configuration files set when they had no problem, by their paths, the newest last. */
type GoodFiles = Readonly<Record<string, FlagValues>>;

/** Projects that are remembered, besides the user's own file. */
const MAX_FILES = 50;

/** Beside the states of sessions, not in the cache: what is here cannot be made again once a file is broken. */
function storePath({ attachDir }: Home): string {
  return join(attachDir, "last-good.json");
}

/** What the files set when they had no problem. A store that is missing or damaged has nothing. */
export function readLastGood(home: Home): GoodFiles {
  try {
    const files: unknown = JSON.parse(readFileSync(storePath(home), "utf8"));
    const entries = Object.entries(typeof files === "object" && files !== null ? files : {});
    return Object.fromEntries(entries.filter(([, settings]) => typeof settings === "object" && settings !== null));
  } catch {
    return {};
  }
}

/** Stores what files set that have no problem now. */
export function saveLastGood(home: Home, goodFiles: ReadonlyMap<string, FlagValues>): void {
  const stored = readLastGood(home);
  const changed = [...goodFiles].filter(
    ([file, settings]) => JSON.stringify(stored[file] ?? {}) !== JSON.stringify(settings),
  );
  if (changed.length === 0) return;
  const { [home.configFile]: own = {}, ...projects } = { ...stored, ...Object.fromEntries(changed) };
  const files = { ...Object.fromEntries(Object.entries(projects).slice(-MAX_FILES)), [home.configFile]: own };
  mkdirSync(home.attachDir, { recursive: true, mode: 0o700 });
  const temporary = `${storePath(home)}.${process.pid}.tmp`;
  writeFileSync(temporary, JSON.stringify(files), { mode: 0o600 });
  renameSync(temporary, storePath(home));
}
