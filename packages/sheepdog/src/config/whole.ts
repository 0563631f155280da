import { dottedKey } from "./dotted-key.ts";
import type { Setting } from "./read-layer.ts";

type Table = Record<string, unknown>;

/** What is configured so far: the values of all layers with where they come from, the later over the earlier. */
export interface Whole {
  readonly table: Table;
  /** By dotted key. */
  readonly settings: Map<string, Setting>;
}

/** Nothing is configured yet. */
export function emptyWhole(): Whole {
  return { table: emptyTable(), settings: new Map() };
}

/** Lays one setting over what is there. */
export function laySetting({ table, settings }: Whole, setting: Setting): void {
  const { path } = setting;
  const key = dottedKey(path);
  for (let depth = 1; depth < path.length; depth++) settings.delete(dottedKey(path.slice(0, depth))); // a word that a table takes the place of
  if (isTable(valueAt(table, path)))
    for (const known of settings.keys()) if (known.startsWith(`${key}.`)) settings.delete(known); // and the other way round
  settings.set(key, setting);
  let at = table;
  for (const part of path.slice(0, -1)) {
    const known = at[part];
    const inner = isTable(known) ? known : emptyTable();
    at[part] = inner;
    at = inner;
  }
  at[path.at(-1) ?? ""] = setting.value;
}

/** The value at a path. */
export function valueAt(table: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, part) => (isTable(at) && Object.hasOwn(at, part) ? at[part] : undefined), table);
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Without a prototype, so that no name means anything but itself. */
function emptyTable(): Table {
  return Object.create(null) as Table; // an object without properties is a table
}
