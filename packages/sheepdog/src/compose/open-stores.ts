import { openOrRebuild, type RebuildReport, type Stores } from "@sheepdog/agent";
import type { Home } from "../home.ts";

/** Open stores, and sentences for the user when the database had to be rebuilt. */
export interface OpenedHome {
  readonly stores: Stores;
  readonly notes: readonly string[];
}

/** Opens or creates Sheepdog's database. Rejects with a `DatabaseError` when it cannot be used. */
export async function openStores({ database }: Home, logDir: string): Promise<OpenedHome> {
  const { stores, rebuilt } = await openOrRebuild({ path: database, logDir });
  return { stores, notes: rebuilt === undefined ? [] : rebuildNotes(rebuilt) };
}

function rebuildNotes({ movedTo, sessions, runs, lost }: RebuildReport): readonly string[] {
  const cause =
    movedTo === undefined
      ? "The database was missing and was rebuilt from the run logs"
      : `The database was damaged: it was moved to ${movedTo}, and rebuilt`;
  return [
    `${cause}. The new one holds ${sessions} sessions with ${runs} runs.`,
    ...lost.map((what) => `Lost: ${what}`),
  ];
}
