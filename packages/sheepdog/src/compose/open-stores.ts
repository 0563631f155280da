import { type OpenedStores, openOrRebuild, type RebuildReport, type Stores } from "@sheepdog/agent";
import type { Home } from "../home.ts";

/** The opened stores, and sentences about repairs that opening them needed. */
export interface OpenedHome {
  readonly stores: Stores;
  readonly notes: readonly string[];
}

/** Opens Sheepdog's database, and creates it if it is missing. Rejects with a `DatabaseError` if that fails. */
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
  const recovered = `The new one contains ${sessions} sessions with ${runs} runs.`;
  return [`The database was damaged and was moved to ${movedTo}. ${recovered}`, ...lost.map((what) => `Lost: ${what}`)];
}

function restoredNotes({ runs, lost }: NonNullable<OpenedStores["restored"]>): readonly string[] {
  const count = runs === 1 ? "1 run was" : `${runs} runs were`;
  const restored = runs === 0 ? [] : [`${count} missing in the database, and restored from the run logs.`];
  return [...restored, ...lost.map((what) => `Not restored from the run logs: ${what}`)];
}
