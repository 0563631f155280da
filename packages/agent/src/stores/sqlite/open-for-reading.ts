import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { memoryStores } from "../memory-stores.ts";
import type { Stores } from "../stores.ts";
import { checkNothingRemains } from "./missing-database.ts";
import { openReadOnly } from "./open-read-only.ts";
import { storesOf } from "./sqlite-stores.ts";

export interface ReadingOptions {
  readonly path: string;
  /** Folder of the run logs. Where a missing database has logs, it is not read as empty. */
  readonly logDir?: string | undefined;
}

/** Stores that are only read. What they change is refused. */
export interface ReadableStores {
  readonly stores: Stores;
  /** How many rows were left out so far, because another program wrote or edited them. */
  foreignRows(): number;
}

/**
 * Opens the database for reading. It is never moved, created or written to, and needs no other file: its folder may be
 * read-only, its disk full. Rejects with a `DatabaseError` when it is damaged or lost.
 */
export async function openForReading(options: ReadingOptions): Promise<ReadableStores> {
  const path = resolve(options.path);
  let foreignRows = 0;
  if (existsSync(path)) {
    const sqlite = await openReadOnly({ path });
    const stores = await storesOf({ ...sqlite, onForeignRow: () => (foreignRows += 1) });
    return { stores, foreignRows: () => foreignRows };
  }
  checkNothingRemains(path, options.logDir);
  return { stores: memoryStores(), foreignRows: () => foreignRows };
}
