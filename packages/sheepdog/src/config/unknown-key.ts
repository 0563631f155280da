import { closestName } from "@sheepdog/guardian";
import { allKeys, type Section } from "./config-shape.ts";
import { nearestName, showValue } from "./describe-value.ts";
import { dottedKey, shownKey } from "./dotted-key.ts";

/** Keys and sections that are planned but not available yet. */
const planned: readonly string[] = ["agent.director", "channels", "mcp"];

/** Describes an unknown key: the section it belongs to, or the nearest known key. */
export function unknownKey(path: readonly string[], table: Section): string {
  const name = path.at(-1) ?? "";
  const parent = path.slice(0, -1);
  const keyInTable = `${showValue(name)} ${parent.length === 0 ? "at the top" : `in ${tableName(parent)}`}`;
  if (planned.includes(path.join("."))) return `this version has no key ${keyInTable}`;
  const keysOfTable = [...table.keys.keys()];
  if (closestName(name, keysOfTable) === undefined) {
    const elsewhere = [...allKeys.values()].find((key) => key.path.at(-1) === name);
    if (elsewhere !== undefined)
      return `there is no key ${keyInTable}; it belongs to [${dottedKey(elsewhere.path.slice(0, -1))}]`;
  }
  return `there is no key ${keyInTable}; ${nearestName(name, keysOfTable)}`;
}

/** A table as its header names it; an entry of a list by its index. */
function tableName(path: readonly string[]): string {
  const key = dottedKey(path);
  return shownKey(path) === key ? `[${key}]` : shownKey(path);
}

/** Describes a name that is not one of the allowed names. */
export function unknownName(path: readonly string[], names: readonly string[]): string {
  const name = path.at(-1) ?? "";
  return `there is no ${showValue(name)} for [${dottedKey(path.slice(0, -1))}]; ${nearestName(name, names)}`;
}
