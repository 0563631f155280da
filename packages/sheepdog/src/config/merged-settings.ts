import { dottedKey } from "./dotted-key.ts";
import type { Setting } from "./read-layer.ts";

type Table = Record<string, unknown>;

/** The values of all layers so far, with their origins. Later layers override earlier ones. */
export interface MergedSettings {
  readonly table: Table;
  /** By dotted key. */
  readonly settings: Map<string, Setting>;
}

/** Merged settings without any value. */
export function createMergedSettings(): MergedSettings {
  return { table: emptyTable(), settings: new Map() };
}

/** Adds a setting, which overrides earlier ones of the same key. Permission rules of all layers apply together. */
export function mergeSetting({ table, settings }: MergedSettings, setting: Setting): void {
  const { path } = setting;
  const key = dottedKey(path);
  // A table replaces a word, and a word replaces a table: `detectors.cycle` may be "off" or a table.
  for (let depth = 1; depth < path.length; depth++) settings.delete(dottedKey(path.slice(0, depth)));
  if (isTable(valueAt(table, path)))
    for (const settingKey of settings.keys()) if (settingKey.startsWith(`${key}.`)) settings.delete(settingKey);
  settings.set(key, setting);
  let parent = table;
  for (const part of path.slice(0, -1)) {
    const current = parent[part];
    const inner = isTable(current) ? current : emptyTable();
    parent[part] = inner;
    parent = inner;
  }
  const name = path.at(-1) ?? "";
  const earlier = parent[name];
  const addsRules = setting.reach === "stricter-rules" && Array.isArray(earlier) && Array.isArray(setting.value);
  parent[name] = addsRules ? [...earlier, ...setting.value] : setting.value;
}

/** The value at a path; undefined if there is none. */
export function valueAt(table: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (isTable(value) && Object.hasOwn(value, part) ? value[part] : undefined),
    table,
  );
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Has no prototype: a key such as `constructor` is an ordinary key. */
function emptyTable(): Table {
  return Object.create(null) as Table; // an object without properties is a table
}
