import { closestName } from "@sheepdog/guardian";
import { keysIn, type Section } from "./config-shape.ts";
import { nearestName, showValue } from "./describe-value.ts";
import { dottedKey, shownKey } from "./dotted-key.ts";

/** Describes an unknown key: the section of the file that it belongs to, or the nearest known key. */
export function unknownKey(path: readonly string[], table: Section, root: Section): string {
  const name = path.at(-1) ?? "";
  const parent = path.slice(0, -1);
  const keyInTable = `${showValue(name)} ${parent.length === 0 ? "at the top" : `in ${tableName(parent)}`}`;
  const keysOfTable = [...table.keys.keys()];
  if (closestName(name, keysOfTable) === undefined) {
    const section = sectionWith(name, root);
    if (section !== undefined) return `there is no key ${keyInTable}; it belongs to ${section}`;
  }
  return `there is no key ${keyInTable}; ${nearestName(name, keysOfTable)}`;
}

/** The only section of the file with this key, if there is one. */
function sectionWith(name: string, root: Section): string | undefined {
  if (root.keys.get(name)?.kind === "value") return "the top of the file, above all [tables]";
  const [key, ...others] = keysIn(root, []).filter(({ path }) => path.at(-1) === name);
  return key === undefined || others.length > 0 ? undefined : `[${dottedKey(key.path.slice(0, -1))}]`;
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
