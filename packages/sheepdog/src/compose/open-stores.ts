import { openForReading, type Stores, sqliteStores } from "@sheepdog/agent";
import type { Home } from "../home.ts";

/** Stores that are only read. */
export interface HomeForReading {
  readonly stores: Stores;
  /** A sentence about rows that were left out so far, if there are any. */
  leftOut(): string | undefined;
}

/** Opens or creates Sheepdog's database. Rejects with a `DatabaseError` when it cannot be used. */
export async function openStores({ database }: Home, logDir: string): Promise<Stores> {
  return sqliteStores({ path: database, logDir });
}

/**
 * Opens Sheepdog's database for a command that only reads: nothing is created or moved. Rejects with a `DatabaseError`
 * when it cannot be read.
 */
export async function openStoresForReading({ database }: Home, logDir: string): Promise<HomeForReading> {
  const { stores, foreignRows } = await openForReading({ path: database, logDir });
  return {
    stores,
    leftOut() {
      const count = foreignRows();
      if (count === 0) return undefined;
      const rows = count === 1 ? `1 row of ${database} was` : `${count} rows of ${database} were`;
      return `${rows} left out: another program wrote or changed ${count === 1 ? "it" : "them"}`;
    },
  };
}
