import { isDeepStrictEqual } from "node:util";
import { parse as parseForPatch, patch } from "@decimalturn/toml-patch";
import { parse } from "smol-toml";
import { dottedKey } from "./dotted-key.ts";
import { tomlPositions } from "./toml-positions.ts";
import { tomlValue } from "./toml-value.ts";

type Table = Record<string, unknown>;

/**
 * A TOML document with one value set, or removed where it is undefined; comments and everything else stay as they are. Undefined where that cannot be had.
 * What is written is read again: it says what it should, or it is not given back.
 */
export function editToml(toml: string, path: readonly string[], value: unknown): string | undefined {
  const wanted = plain(withValue(parse(toml), path, value));
  for (const attempt of [editedInPlace, patched]) {
    const edited = attempt(toml, path, value);
    if (edited !== undefined && isDeepStrictEqual(meaning(edited), wanted)) return edited;
  }
  return undefined;
}

/** The usual cases, where one line changes. */
function editedInPlace(toml: string, path: readonly string[], value: unknown): string | undefined {
  const { valueSpan, pairSpan, tableSpan } = tomlPositions(toml);
  const line = `${dottedKey(path.slice(-1))} = ${tomlValue(value)}`;
  const lineEnd = toml.includes("\r\n") ? "\r\n" : "\n";
  if (value === undefined) {
    const pair = pairSpan(path);
    return pair === undefined ? undefined : withoutLines(toml, pair.start, pair.end);
  }
  const known = valueSpan(path);
  if (known !== undefined) return toml.slice(0, known.start) + tomlValue(value) + toml.slice(known.end);
  if (path.length === 1) return [line, ...(toml.trim() === "" ? [] : [""]), toml].join(lineEnd);
  const table = tableSpan(path.slice(0, -1));
  if (table === undefined)
    return `${toml.trimEnd()}${toml.trim() === "" ? "" : lineEnd.repeat(2)}[${dottedKey(path.slice(0, -1))}]${lineEnd}${line}${lineEnd}`;
  const end = endOfLine(toml, table.end);
  const [indent = ""] = /^[ \t]*/.exec(toml.slice(toml.lastIndexOf("\n", table.end - 1) + 1)) ?? [];
  return `${toml.slice(0, end)}${lineEnd}${indent}${line}${toml.slice(end)}`;
}

function endOfLine(toml: string, from: number): number {
  const end = toml.slice(from).search(/\r?\n|$/);
  return from + Math.max(0, end);
}

/** The document without the lines of a pair, if nothing but a comment shares them. */
function withoutLines(toml: string, start: number, end: number): string | undefined {
  const from = toml.lastIndexOf("\n", start - 1) + 1;
  const to = endOfLine(toml, end);
  if (toml.slice(from, start).trim() !== "" || !/^\s*(?:#.*)?$/.test(toml.slice(end, to))) return undefined;
  return toml.slice(0, from) + toml.slice(to).replace(/^\r?\n/, "");
}

/** The rare ones: inline tables, dotted keys. */
function patched(toml: string, path: readonly string[], value: unknown): string | undefined {
  try {
    return patch(toml, withValue(parseForPatch(toml), path, value));
  } catch {
    return undefined; // it cannot do everything, and what it did is looked at anyway
  }
}

/** What a document says; undefined where it is none. */
function meaning(toml: string): unknown {
  try {
    return plain(parse(toml));
  } catch {
    return undefined;
  }
}

/** To compare by content only: tables have no prototype where the parser made them. */
function plain(table: Table): unknown {
  return JSON.parse(JSON.stringify(table));
}

function withValue(table: Table, [first = "", ...rest]: readonly string[], value: unknown): Table {
  const { [first]: known, ...others } = table;
  if (rest.length > 0) {
    const inner = withValue(isTable(known) ? known : {}, rest, value);
    return known === undefined && value === undefined ? { ...table } : { ...table, [first]: inner };
  }
  return value === undefined ? others : { ...table, [first]: value };
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
