import type { SqliteDatabase } from "../platform/sqlite.ts";
import type { JsonObject } from "../trajectory/json-fields.ts";
import type { RecordedRun } from "../trajectory/recorded-run.ts";
import type { ReadItem } from "./read-item.ts";

/**
 * Reads one format. A reader only reads, and judges a file by its content, never by its name. It throws nothing,
 * whatever the content: what it cannot use it reports.
 */
export type Reader = LineReader | DocumentReader | DatabaseReader | FolderReader;

interface ReaderFrame {
  /** The default `source` of its runs: `claude-code`. */
  readonly format: string;
  /** The name as people write it: "Claude Code". */
  readonly label: string;
}

/** A format with one JSON object a line. */
export interface LineReader extends ReaderFrame {
  readonly type: "lines";
  /** Whether these first lines, up to 50, are in this format. Some may be damaged and are missing here. */
  recognizes(lines: readonly JsonObject[]): boolean;
  /** Starts to read a file. */
  open(file: string): LineParser;
}

/** Reads the lines of one file. */
export interface LineParser {
  line(value: JsonObject, line: number): LineResult;
  /** The runs of the file: a run comes before its subagents. */
  end(): readonly RecordedRun[];
}

/** What a line was. */
export type LineResult =
  /** A part of a run, or known to hold nothing of one. */
  | "read"
  /** A kind of line that the reader does not know. */
  | { readonly unknown: string }
  /** A line of a known kind in which something has the wrong type: "message.usage is a list; it must be an object". */
  | { readonly malformed: string };

/** A format with one JSON document a file. */
export interface DocumentReader extends ReaderFrame {
  readonly type: "document";
  recognizes(document: unknown): boolean;
  read(document: unknown, file: string): Iterable<ReadItem>;
}

/**
 * A format in a SQLite database, which may be large and in use: read it session by session, and hold no statement open
 * between two of them. The lines of its items are the ordinals of the sessions, counted from 1.
 */
export interface DatabaseReader extends ReaderFrame {
  readonly type: "database";
  /** Whether a database with these tables is of this format. */
  recognizes(tables: ReadonlySet<string>): boolean;
  read(database: SqliteDatabase, file: string): Iterable<ReadItem>;
}

/** A format with a folder for each run, or with one folder for all of them. */
export interface FolderReader extends ReaderFrame {
  readonly type: "folder";
  /** Whether a folder with these entries is a recording of this format. May look into it where names are not enough. */
  recognizes(names: ReadonlySet<string>, folder: string): boolean | Promise<boolean>;
  read(folder: string): AsyncIterable<ReadItem>;
}
