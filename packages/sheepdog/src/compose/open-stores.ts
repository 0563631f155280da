import { openForReading, openOrRebuild, openRebuiltCopy, type RebuildReport, type Stores } from "@sheepdog/agent";
import type { Home } from "../home.ts";

/** Open stores, and sentences for the user when the database had to be rebuilt. */
export interface OpenedHome {
  readonly stores: Stores;
  readonly notes: readonly string[];
}

/** Stores that are only read. */
export interface HomeForReading extends OpenedHome {
  /** A sentence about rows that were left out so far, if there are any. */
  leftOut(): string | undefined;
}

/** Opens or creates Sheepdog's database. Rejects with a `DatabaseError` when it cannot be used. */
export async function openStores({ database }: Home, logDir: string): Promise<OpenedHome> {
  const { stores, rebuilt } = await openOrRebuild({ path: database, logDir });
  return { stores, notes: rebuilt === undefined ? [] : rebuildNotes(rebuilt) };
}

/**
 * Opens Sheepdog's database for a command that only reads: nothing is created, moved or rebuilt. `damage` is what an
 * earlier attempt to read it came upon. Rejects with a `DatabaseError` when nothing can be read.
 */
export async function openStoresForReading(
  { database }: Home,
  logDir: string,
  damage?: string,
): Promise<HomeForReading> {
  const options = { path: database, logDir };
  const opened = await (damage === undefined ? openForReading(options) : openRebuiltCopy(options, damage));
  const { stores, problem, foreignRows } = opened;
  return {
    stores,
    notes: problem === undefined ? [] : [`${problem}. This shows what can be read. ${rebuildHint}`],
    leftOut() {
      const count = foreignRows();
      if (count === 0) return undefined;
      const rows = count === 1 ? `1 row of ${database} was` : `${count} rows of ${database} were`;
      return `${rows} left out: another program wrote or changed ${count === 1 ? "it" : "them"}`;
    },
  };
}

/** What to type when the database is damaged or missing. */
export const rebuildHint = 'The next run rebuilds it and keeps the old files: sheepdog run "…"';

function rebuildNotes({ movedTo, sessions, runs, lost, areAmountsLost }: RebuildReport): readonly string[] {
  const cause =
    movedTo === undefined
      ? "The database was missing and was rebuilt from the run logs"
      : `The database was damaged: it was moved to ${movedTo}, and rebuilt`;
  return [
    `${cause}. The new one holds ${sessions} sessions with ${runs} runs.`,
    ...lost.map((what) => `Lost: ${what}`),
    ...(areAmountsLost ? ["Amounts spent this month may be lost. To enter them: sheepdog cost --unconfirmed"] : []),
  ];
}
