import { type OpenedStores, openOrRebuild, type RebuildReport, type Stores } from "@sheepdog/agent";
import type { Home } from "../home.ts";

/** What is kept, opened, and sentences about what had to be done for that. */
export interface OpenedHome {
  readonly stores: Stores;
  readonly notes: readonly string[];
}

/** Opens Sheepdog's own database; makes it where there is none. Rejects with a `DatabaseError` where it cannot be had. */
export async function openStores({ database }: Home, logDir: string): Promise<OpenedHome> {
  const { stores, rebuilt, restored } = await openOrRebuild({ path: database, logDir });
  return {
    stores,
    notes: [
      ...(rebuilt === undefined ? [] : rebuiltNotes(rebuilt)),
      ...(restored === undefined ? [] : restoredNotes(restored)),
    ],
  };
}

function rebuiltNotes({ movedTo, sessions, runs, lost }: RebuildReport): readonly string[] {
  const kept = `The database was damaged: it was moved to ${movedTo}, and a new one holds ${sessions} sessions with ${runs} runs.`;
  return [kept, ...lost.map((what) => `Lost: ${what}`)];
}

function restoredNotes({ runs, lost }: NonNullable<OpenedStores["restored"]>): readonly string[] {
  const brought =
    runs === 0
      ? []
      : [`${runs === 1 ? "1 run" : `${runs} runs`} that the database did not know came back from the run logs.`];
  return [...brought, ...lost.map((what) => `Not brought back from the run logs: ${what}`)];
}
