import { parse, TomlError } from "smol-toml";
import { dottedKey, readDottedKey } from "./dotted-key.ts";
import { valueAt } from "./merged-settings.ts";
import { type Positions, tomlPositions } from "./toml-positions.ts";

/** A TOML document with the positions of its keys, or where and why it is invalid. */
export type ParsedToml =
  | { readonly ok: true; readonly table: Readonly<Record<string, unknown>>; readonly positions: Positions }
  | { readonly ok: false; readonly at: string; readonly why: string };

/** Parses a TOML document. */
export function parseToml(text: string): ParsedToml {
  try {
    return { ok: true, table: parse(text), positions: tomlPositions(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { ok: false, at: `${error.line}:${error.column}`, why: describeError(error, text) };
  }
}

/** The lines of an invalid document that are valid by themselves, each as a document with the table it belongs to. */
export function validLines(text: string): readonly Readonly<Record<string, unknown>>[] {
  let header = "";
  return text.split("\n").flatMap((line) => {
    const isHeader = /^\s*\[/.test(line);
    if (isHeader) header = line;
    try {
      return isHeader ? [] : [parse(`${header}\n${line}`)];
    } catch {
      return []; // part of what is wrong, or of a value of several lines
    }
  });
}

const duplicateMessage = "trying to redefine an already defined table or value";

function describeError({ message, line }: TomlError, text: string): string {
  const [what = ""] = message.replace("Invalid TOML document: ", "").split("\n");
  if (what !== duplicateMessage) return `invalid TOML: ${what}`;
  const lines = text.split("\n");
  const earlier = tomlPositions(lines.slice(0, line - 1).join("\n"));
  const match = /^\s*(?<brackets>\[{0,2})(?<key>[^\]=]*)/.exec(lines[line - 1] ?? "")?.groups;
  const key = readDottedKey(match?.["key"] ?? "");
  const path = key === undefined ? undefined : [...(match?.["brackets"] === "" ? earlier.lastTable : []), ...key];
  const first = path === undefined ? undefined : earlier.keyAt(path);
  const name = path === undefined ? "this key" : dottedKey(path);
  return `${name} is set twice${first === undefined ? "" : `; first in line ${first.line}`}`;
}

/** Whether a document has a key. Returns true for invalid TOML, which may contain it. */
export function tomlHas(text: string, path: readonly string[]): boolean {
  const parsed = parseToml(text);
  return !parsed.ok || valueAt(parsed.table, path) !== undefined;
}
