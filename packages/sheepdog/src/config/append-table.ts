import { isDeepStrictEqual } from "node:util";
import { parse } from "smol-toml";
import { dottedKey } from "./dotted-key.ts";
import { editToml } from "./edit-toml.ts";
import { valueAt } from "./merged-settings.ts";
import { tomlValue } from "./toml-value.ts";

/**
 * Adds a table to a list of tables of a TOML document; everything else stays. Parses the result to check it. Returns
 * undefined if that is not possible.
 */
export function appendTable(
  toml: string,
  path: readonly string[],
  table: Readonly<Record<string, unknown>>,
): string | undefined {
  const current = valueAt(parse(toml), path) ?? [];
  if (!Array.isArray(current)) return undefined;
  const wanted = [...current, table];
  const lineEnd = toml.includes("\r\n") ? "\r\n" : "\n";
  const lines = [
    ...(toml.trim() === "" ? [] : [toml.trimEnd(), ""]),
    `[[${dottedKey(path)}]]`,
    ...Object.entries(table).map(([name, value]) => `${dottedKey([name])} = ${tomlValue(value)}`),
    "",
  ];
  const appended = lines.join(lineEnd);
  return isDeepStrictEqual(plain(listIn(appended, path)), plain(wanted)) ? appended : editToml(toml, path, wanted);
}

/** The list in a document; undefined if it is not TOML, as when the list is written in one line. */
function listIn(toml: string, path: readonly string[]): unknown {
  try {
    return valueAt(parse(toml), path);
  } catch {
    return undefined;
  }
}

/** Makes tables comparable: those of the parser have no prototype. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
