import { isDeepStrictEqual } from "node:util";
import { parse as parseForPatch, patch } from "@decimalturn/toml-patch";
import { parse } from "smol-toml";
import { dottedKey } from "./dotted-key.ts";
import { tomlPositions } from "./toml-positions.ts";
import { tomlValue } from "./toml-value.ts";

type Table = Record<string, unknown>;

/**
 * Sets one value of a TOML document, or removes it if the value is undefined; comments and everything else stay. Parses
 * the result to check it. Returns undefined if no edit gives the wanted result.
 */
export function editToml(toml: string, path: readonly string[], value: unknown): string | undefined {
  const wanted = plainData(withValue(parse(toml), path, value));
  for (const tryEdit of [editInPlace, patchDocument]) {
    const edited = tryEdit(toml, path, value);
    if (edited !== undefined && isDeepStrictEqual(dataOf(edited), wanted)) return edited;
  }
  return undefined;
}

/** The usual cases: one line changes. */
function editInPlace(toml: string, path: readonly string[], value: unknown): string | undefined {
  const { valueSpan, pairSpan, tableSpan } = tomlPositions(toml);
  const line = `${dottedKey(path.slice(-1))} = ${tomlValue(value)}`;
  const lineEnd = toml.includes("\r\n") ? "\r\n" : "\n";
  if (value === undefined) {
    const pair = pairSpan(path);
    return pair === undefined ? undefined : withoutLines(toml, pair.start, pair.end);
  }
  const current = valueSpan(path);
  if (current !== undefined) return toml.slice(0, current.start) + tomlValue(value) + toml.slice(current.end);
  if (path.length === 1) return [line, ...(toml.trim() === "" ? [] : [""]), toml].join(lineEnd);
  const table = tableSpan(path.slice(0, -1));
  if (table === undefined) {
    const gap = toml.trim() === "" ? "" : lineEnd.repeat(2);
    return `${toml.trimEnd()}${gap}[${dottedKey(path.slice(0, -1))}]${lineEnd}${line}${lineEnd}`;
  }
  const end = endOfLine(toml, table.end);
  const [indent = ""] = /^[ \t]*/.exec(toml.slice(toml.lastIndexOf("\n", table.end - 1) + 1)) ?? [];
  return `${toml.slice(0, end)}${lineEnd}${indent}${line}${toml.slice(end)}`;
}

function endOfLine(toml: string, from: number): number {
  const end = toml.slice(from).search(/\r?\n|$/);
  return from + Math.max(0, end);
}

/** Removes the lines of a key and its value, if they contain nothing else but a comment. */
function withoutLines(toml: string, start: number, end: number): string | undefined {
  const from = toml.lastIndexOf("\n", start - 1) + 1;
  const to = endOfLine(toml, end);
  if (toml.slice(from, start).trim() !== "" || !/^\s*(?:#.*)?$/.test(toml.slice(end, to))) return undefined;
  return toml.slice(0, from) + toml.slice(to).replace(/^\r?\n/, "");
}

/** The rare cases: inline tables and dotted keys. */
function patchDocument(toml: string, path: readonly string[], value: unknown): string | undefined {
  try {
    return patch(toml, withValue(parseForPatch(toml), path, value));
  } catch {
    return undefined; // the library does not support every edit; the caller checks each result
  }
}

/** The data of a document; undefined if it is not TOML. */
function dataOf(toml: string): unknown {
  try {
    return plainData(parse(toml));
  } catch {
    return undefined;
  }
}

/** Makes tables comparable: those of the parser have no prototype. */
function plainData(table: Table): unknown {
  return JSON.parse(JSON.stringify(table));
}

function withValue(table: Table, [first = "", ...rest]: readonly string[], value: unknown): Table {
  const { [first]: current, ...others } = table;
  if (rest.length > 0) {
    const inner = withValue(isTable(current) ? current : {}, rest, value);
    return current === undefined && value === undefined ? { ...table } : { ...table, [first]: inner };
  }
  return value === undefined ? others : { ...table, [first]: value };
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
