import { readFile } from "node:fs/promises";
import { peekTables } from "../platform/open-shared-database.ts";
import { readSqliteHeader } from "../platform/sqlite-header.ts";
import { isObject, parseJson } from "../trajectory/parse-json.ts";
import { databaseReaders, documentReaders, lineReaders } from "./known-readers.ts";

/** What a file may hold by its name. */
export type NameKind = "lines" | "document" | "database" | "other";

const namePatterns: Readonly<Record<Exclude<NameKind, "other">, RegExp>> = {
  // `.deleted.…` and `.reset.…` are what OpenClaw adds to sessions that are over
  lines: /\.(?:ndjson|jsonl(?:\.gz|\.zst|\.(?:deleted|reset)\..+)?)$/i,
  document: /\.json$/i,
  database: /\.(?:db|sqlite3?)$/i,
};

/** The kind of a file's name, by which a directory is searched. */
export function nameKind(name: string): NameKind {
  if (namePatterns.lines.test(name)) return "lines";
  if (namePatterns.document.test(name)) return "document";
  return namePatterns.database.test(name) ? "database" : "other";
}

/** A larger document is taken for a recording without a look at it: reading it tells. */
const MAX_LOOK_BYTES = 8 * 1024 * 1024;

/** Whether a document or a database is in a known format. Also true when only reading it can tell. */
export async function isKnownContent(path: string, size: number, kind: "document" | "database"): Promise<boolean> {
  if (kind === "database") {
    if ((await readSqliteHeader(path)) === undefined) return false;
    const tables = await peekTables(path);
    // The tables may all be in the log; what cannot be opened so is described when it is read.
    return tables === undefined || tables.size === 0 || databaseReaders.some((reader) => reader.recognizes(tables));
  }
  if (size > MAX_LOOK_BYTES) return true;
  return isKnownDocument(await readFile(path, "utf8"));
}

function isKnownDocument(text: string): boolean {
  const parsed = parseJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  if (!parsed.ok) return isLines(text);
  const { value } = parsed;
  if (isObject(value) && ("steps" in value || lineReaders.some((reader) => reader.recognizes([value])))) return true;
  return documentReaders.some((reader) => reader.recognizes(value));
}

/** Whether a text that is not one JSON value begins with lines of a known format. */
function isLines(text: string): boolean {
  const firstLines = text
    .slice(0, 64 * 1024)
    .split("\n")
    .slice(0, 50)
    .map(parseJson);
  const objects = firstLines.flatMap((parsed) => (parsed.ok && isObject(parsed.value) ? [parsed.value] : []));
  return objects.some((object) => "steps" in object) || lineReaders.some((reader) => reader.recognizes(objects));
}
