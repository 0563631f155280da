import type { Policy } from "@sheepdog/guardian";
import { createPrices, type PriceOverrides, priceRun, type RecordedRun, readRecordingFile } from "@sheepdog/records";
import { maskedRecording } from "../recordings/masked-recording.ts";
import { createSameIds, recordingId } from "../recordings/recording-entry.ts";
import { lookBackRun } from "./analyze-run.ts";
import type { LookBackRun } from "./look-back-run.ts";
import { createCopyFilter } from "./scan/analyze-items.ts";
import { noRequests } from "./scan/file-facts.ts";
import { type CachedRunPlace, findCachedRuns } from "./scan/find-cached-run.ts";
import { scanRecordings } from "./scan/scan-recordings.ts";
import type { ScanRequest } from "./scan/scan-request.ts";

/** Where recordings are looked for, and how they are judged. */
export interface RecordedRunSearch {
  readonly machine: ScanRequest["machine"];
  readonly cacheFile: string;
  readonly policy: Policy;
  readonly priceOverrides: PriceOverrides;
}

/** A recorded run with what the analysis says about it, or why there is none. */
export type FoundRecordedRun =
  | { readonly ok: true; readonly recording: RecordedRun; readonly run: LookBackRun }
  | { readonly ok: false; readonly problem: string };

/** Finds a run by its id or its unique beginning: among those that were read before, then in the standard places. */
export async function findRecordedRun(idStart: string, search: RecordedRunSearch): Promise<FoundRecordedRun> {
  if (!/^rec_[0-9a-f]*$/.test(idStart)) return { ok: false, problem: unknownRecording(idStart) };
  const places = await findPlaces(idStart, search);
  const [place] = places;
  if (place === undefined) return { ok: false, problem: unknownRecording(idStart) };
  if (places.length > 1) return { ok: false, problem: ambiguousRecording(idStart, places) };
  return readRecordedRun(place, search);
}

/** Reads a run whose place is known. */
export async function readRecordedRun(
  place: CachedRunPlace,
  search: Pick<RecordedRunSearch, "policy" | "priceOverrides">,
): Promise<FoundRecordedRun> {
  return (await readRun(place, search)) ?? { ok: false, problem: changedFile(place) };
}

/** A scan remembers what it finds, and which parts are copies; without a cache, nothing is known to be a copy. */
async function findPlaces(idStart: string, search: RecordedRunSearch): Promise<readonly CachedRunPlace[]> {
  const cached = await findCachedRuns(search.cacheFile, idStart);
  if (cached.length > 0) return cached;
  const scanned = await scannedRuns(idStart, search);
  const known = await findCachedRuns(search.cacheFile, idStart);
  return known.length > 0 ? known : scanned;
}

async function scannedRuns(idStart: string, search: RecordedRunSearch): Promise<readonly CachedRunPlace[]> {
  const places: CachedRunPlace[] = [];
  for await (const event of scanRecordings({ ...search, paths: [] }))
    if (event.type === "run" && event.run.id.startsWith(idStart))
      places.push({ id: event.run.id, file: event.run.file, copies: noRequests });
  return places;
}

async function readRun(
  { id, file, copies }: CachedRunPlace,
  { policy, priceOverrides }: Pick<RecordedRunSearch, "policy" | "priceOverrides">,
): Promise<FoundRecordedRun | undefined> {
  const { withoutKnown } = createCopyFilter(copies);
  const sameIdsOf = createSameIds();
  for await (const item of readRecordingFile(file)) {
    if (item.type !== "run") continue;
    const sameIds = sameIdsOf(item.run.id);
    const own = withoutKnown(item.run);
    if (recordingId(file, item.run.id, sameIds) !== id) continue;
    const prices = await createPrices({ overrides: priceOverrides });
    const recording = maskedRecording(priceRun(own, prices, Date.now()));
    return { ok: true, recording, run: lookBackRun(recording, { file, line: item.line, sameIds, policy }) };
  }
  return undefined;
}

function unknownRecording(id: string): string {
  return `there is no recorded run ${id} here; see all with: sheepdog analyze`;
}

function changedFile({ id, file }: CachedRunPlace): string {
  return `the recording of ${id} is gone or has changed (${file}); read it again with: sheepdog analyze`;
}

function ambiguousRecording(idStart: string, places: readonly CachedRunPlace[]): string {
  const ids = places.slice(0, 5).map(({ id }) => id);
  const more = places.length - ids.length;
  return `${idStart} matches ${ids.join(", ")}${more > 0 ? `, and ${more} more` : ""}; type more of the id`;
}
