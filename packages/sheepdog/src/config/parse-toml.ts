import { parse, TomlError } from "smol-toml";
import { dottedKey, readDottedKey } from "./dotted-key.ts";
import { type Positions, tomlPositions } from "./toml-positions.ts";
import { valueAt } from "./whole.ts";

/** A TOML document with the places of its keys, or where and why it is none. */
export type ParsedToml =
  | { readonly ok: true; readonly table: Readonly<Record<string, unknown>>; readonly positions: Positions }
  | { readonly ok: false; readonly at: string; readonly why: string };

/** Parses a TOML document. */
export function parseToml(text: string): ParsedToml {
  try {
    return { ok: true, table: parse(text), positions: tomlPositions(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { ok: false, at: `${error.line}:${error.column}`, why: whyNot(error, text) };
  }
}

const twice = "trying to redefine an already defined table or value";

function whyNot({ message, line }: TomlError, text: string): string {
  const [what = ""] = message.replace("Invalid TOML document: ", "").split("\n");
  if (what !== twice) return `this is not TOML: ${what}`;
  const lines = text.split("\n");
  const before = tomlPositions(lines.slice(0, line - 1).join("\n"));
  const found = /^\s*(?<brackets>\[{0,2})(?<key>[^\]=]*)/.exec(lines[line - 1] ?? "")?.groups;
  const key = readDottedKey(found?.["key"] ?? "");
  const path = key === undefined ? undefined : [...(found?.["brackets"] === "" ? before.lastTable : []), ...key];
  const first = path === undefined ? undefined : before.keyAt(path);
  return `${path === undefined ? "this" : dottedKey(path)} is there twice${first === undefined ? "" : `; the first is in line ${first.line}`}`;
}

/** Whether a document has a key; one that is no TOML may well have it. */
export function tomlHas(text: string, path: readonly string[]): boolean {
  const parsed = parseToml(text);
  return !parsed.ok || valueAt(parsed.table, path) !== undefined;
}
