import { openSharedDatabase, tableNames } from "../platform/open-shared-database.ts";
import { databaseReaders } from "./known-readers.ts";
import { type ReadItem, skip } from "./read-item.ts";

/** Reads a SQLite database that another program may be writing to, and leaves it and its folder as they are. */
export async function* readDatabaseFile(path: string): AsyncGenerator<ReadItem> {
  const shared = await openSharedDatabase(path);
  try {
    const tables = tableNames(shared.database);
    const reader = databaseReaders.find((candidate) => candidate.recognizes(tables));
    if (reader === undefined) yield skip(path, 0, "it is a SQLite database of another program");
    else yield* reader.read(shared.database, path);
    if (await shared.wasChanged())
      yield skip(path, 0, "another program wrote to it while it was read; read it again for what is new");
  } finally {
    await shared.close();
  }
}
