import { closestName } from "@sheepdog/guardian";
import { dottedKey, shownKey } from "./dotted-key.ts";
import { allKeys, type Section } from "./shape.ts";
import { instead, shown } from "./words.ts";

/** Keys and sections that are meant to come, and are not there yet. */
const notYet: readonly string[] = ["agent.director", "channels", "mcp", "security.sandbox"];

/** A sentence about a key that does not exist: where it belongs, or the nearest that does. */
export function unknownKey(path: readonly string[], table: Section): string {
  const name = path.at(-1) ?? "";
  const parent = path.slice(0, -1);
  const there = `${shown(name)} ${parent.length === 0 ? "at the top" : `in ${tableName(parent)}`}`;
  if (notYet.includes(path.join("."))) return `this version has no key ${there}`;
  const known = [...table.keys.keys()];
  if (closestName(name, known) === undefined) {
    const elsewhere = [...allKeys.values()].find((key) => key.path.at(-1) === name);
    if (elsewhere !== undefined)
      return `there is no key ${there}; it belongs to [${dottedKey(elsewhere.path.slice(0, -1))}]`;
  }
  return `there is no key ${there}; ${instead(name, known)}`;
}

/** As its head says it; one of a list by its place. */
function tableName(path: readonly string[]): string {
  const key = dottedKey(path);
  return shownKey(path) === key ? `[${key}]` : shownKey(path);
}

/** The same for a name that is none of a few. */
export function unknownName(path: readonly string[], names: readonly string[]): string {
  const name = path.at(-1) ?? "";
  return `there is no ${shown(name)} for [${dottedKey(path.slice(0, -1))}]; ${instead(name, names)}`;
}
