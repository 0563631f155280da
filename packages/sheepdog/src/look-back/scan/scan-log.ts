import { performance } from "node:perf_hooks";
import type { Skipped } from "@sheepdog/records";
import type { Scan } from "../look-back.ts";
import type { FileFacts } from "./file-facts.ts";
import type { FoundFile, FoundFiles, SearchedPlace } from "./find-files.ts";
import type { ScanEvent, ScanProgress } from "./scan-event.ts";
import type { ScanRequest } from "./scan-request.ts";

/** Counts what a scan reads, and passes on what of it is wanted. */
export interface ScanLog {
  skip(skipped: Skipped): void;
  /** Counts a file that has been read, or that is in the cache. An old one counts for the progress only. */
  done(file: Pick<FoundFile, "bytes" | "isOld">, from: { readonly isCached: boolean }): void;
  /** Passes on the facts of a file. */
  add(file: Pick<FoundFile, "place">, facts: FileFacts): void;
  progress(): ScanProgress;
  scan(): Scan;
}

const MAX_SKIPPED = 100;

/** The part of a request that says which runs are wanted. */
type WantedRuns = Pick<ScanRequest, "paths" | "stdin" | "agent" | "isProject" | "since">;

/** Creates a log of the files that were found. */
export function createScanLog(
  request: WantedRuns,
  { places, files }: Pick<FoundFiles, "places" | "files">,
  emit: (event: ScanEvent) => void,
): ScanLog {
  const startedAt = performance.now();
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const counts = { files: 0, bytes: 0, cachedFiles: 0, readBytes: 0, skipped: 0, oldFiles: 0, oldBytes: 0 };
  const byPlace = new Map<SearchedPlace, { files: number; runs: number }>();
  const firstSkipped: Skipped[] = [];
  const isWanted = wantedRuns(request);
  const elapsedMs = () => performance.now() - startedAt;

  function skip(skipped: Skipped): void {
    counts.skipped += skipped.lines ?? 1;
    if (firstSkipped.length < MAX_SKIPPED) firstSkipped.push(skipped);
    emit({ type: "skipped", skipped });
  }

  return {
    skip,
    done({ bytes, isOld }, { isCached }) {
      if (!isCached) counts.readBytes += bytes;
      if (isOld) {
        counts.oldFiles++;
        counts.oldBytes += bytes;
        return;
      }
      counts.files++;
      counts.bytes += bytes;
      if (isCached) counts.cachedFiles++;
    },
    add({ place }, facts) {
      const runs = facts.runs.filter(isWanted);
      const inPlace = byPlace.get(place) ?? { files: 0, runs: 0 };
      byPlace.set(place, { files: inPlace.files + 1, runs: inPlace.runs + runs.length });
      for (const run of runs) emit({ type: "run", run });
      for (const skipped of facts.skipped) skip(skipped);
      if (facts.moreSkipped > 0) skip(restOf(facts));
    },
    progress: () => ({
      files: counts.files + counts.oldFiles,
      totalFiles: files.length + (request.stdin === undefined ? 0 : 1),
      bytes: counts.bytes + counts.oldBytes,
      totalBytes,
      bytesPerSecond: counts.readBytes === 0 ? 0 : counts.readBytes / (elapsedMs() / 1_000),
    }),
    scan: () => ({
      places: places.map((place) => {
        const { files: placeFiles, runs } = byPlace.get(place) ?? { files: 0, runs: 0 };
        return { agent: place.agent, path: place.path, files: placeFiles, runs };
      }),
      files: counts.files,
      bytes: counts.bytes,
      cachedFiles: counts.cachedFiles,
      ms: Math.round(elapsedMs()),
      skipped: firstSkipped,
      skippedCount: counts.skipped,
    }),
  };
}

/** Stands for the faults of a file that are not kept. */
function restOf({ skipped, moreSkipped }: FileFacts): Skipped {
  const rest = moreSkipped === 1 ? "1 more line" : `${moreSkipped.toLocaleString("en-US")} more lines`;
  return { file: skipped[0]?.file ?? "", line: 0, why: `${rest} could not be read`, lines: moreSkipped };
}

/** The agent of a file in a standard place is known; elsewhere the recording says it. */
function wantedRuns({
  paths,
  stdin,
  agent,
  isProject = () => true,
  since = 0,
}: WantedRuns): (run: FileFacts["runs"][number]) => boolean {
  const isAnyAgent = agent === undefined || (paths.length === 0 && stdin === undefined);
  return ({ source, folder, at }) => (isAnyAgent || source === agent) && isProject(folder) && (at ?? since) >= since;
}
