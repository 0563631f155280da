import { existsSync } from "node:fs";
import { openDatabase } from "@sheepdog/records";
import type { LookBackRun } from "../look-back-run.ts";
import { numbersOf } from "./scan-cache.ts";

/** Where a run is: the file that a look back has read it from. */
export interface CachedRunPlace extends Pick<LookBackRun, "id" | "file"> {
  /** Digests of the model requests in the file that belong to other files. */
  readonly copies: Float64Array;
}

/** Finds runs that look backs remember by the beginning of their id. Never throws: without a cache there are none. */
export async function findCachedRuns(cacheFile: string, idStart: string): Promise<readonly CachedRunPlace[]> {
  if (!existsSync(cacheFile)) return [];
  try {
    const database = await openDatabase(cacheFile, { isReadOnly: true });
    try {
      const rows = database
        .prepare("SELECT facts, copies FROM files WHERE instr(facts, ?) > 0")
        .all(`"id":"${idStart}`);
      const places = (rows as readonly Row[]) // the query names its columns
        .flatMap((row) => runsOf(row.facts).map(({ id, file }) => ({ id, file, copies: numbersOf(row.copies) })))
        .filter(({ id }) => id.startsWith(idStart));
      return [...new Map(places.map((place) => [place.id, place])).values()];
    } finally {
      database.close();
    }
  } catch {
    return []; // a damaged cache knows nothing
  }
}

interface Row {
  readonly facts: string;
  readonly copies: Uint8Array;
}

function runsOf(facts: string): readonly LookBackRun[] {
  const { runs } = JSON.parse(facts) as { readonly runs: readonly LookBackRun[] }; // this program wrote it
  return runs;
}
