import { openDatabase } from "../platform/sqlite.ts";
import { databaseReaders } from "./known-readers.ts";
import { type ReadItem, skip } from "./read-item.ts";

/** Reads a SQLite database that another program may be writing to. */
export async function* readDatabaseFile(path: string): AsyncGenerator<ReadItem> {
  const database = await openDatabase(path, { isReadOnly: true });
  try {
    const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const tables = new Set(rows.map((row) => (row as { readonly name: string }).name)); // the query names its column
    const reader = databaseReaders.find((candidate) => candidate.recognizes(tables));
    if (reader === undefined) yield skip(path, 0, "it is a SQLite database of another program");
    else yield* reader.read(database, path);
  } finally {
    database.close();
  }
}
