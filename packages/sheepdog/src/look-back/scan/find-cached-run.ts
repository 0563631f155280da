import { existsSync } from "node:fs";
import { openDatabase } from "@sheepdog/records";
import type { LookBackRun } from "../look-back-run.ts";

/** Where a run is: the file and the line that a look back has read it from. */
export type CachedRunPlace = Pick<LookBackRun, "id" | "file" | "line">;

/** Finds runs that look backs remember by the beginning of their id. Never throws: without a cache there are none. */
export async function findCachedRuns(cacheFile: string, idStart: string): Promise<readonly CachedRunPlace[]> {
  if (!existsSync(cacheFile)) return [];
  try {
    const database = await openDatabase(cacheFile, { isReadOnly: true });
    try {
      const rows = database.prepare("SELECT facts FROM files WHERE instr(facts, ?) > 0").all(`"id":"${idStart}`);
      const runs = rows.flatMap((row) => runsOf((row as { readonly facts: string }).facts)); // the only column
      const places = runs.filter(({ id }) => id.startsWith(idStart)).map(({ id, file, line }) => ({ id, file, line }));
      return [...new Map(places.map((place) => [place.id, place])).values()];
    } finally {
      database.close();
    }
  } catch {
    return []; // a damaged cache knows nothing
  }
}

function runsOf(facts: string): readonly LookBackRun[] {
  const { runs } = JSON.parse(facts) as { readonly runs: readonly LookBackRun[] }; // this program wrote it
  return runs;
}
