import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { expandPath, findRecordings, type RecordedRun, readRecordingFile, type Skipped } from "@sheepdog/records";
import { maskedRecording } from "./masked-recording.ts";
import { createSameIds, recordingEntry, recordingId } from "./recording-entry.ts";
import type { RecordingEntry, RecordingLibrary, RecordingPlace } from "./recording-library.ts";

/** More runs of one file are counted as skipped, which bounds the memory of the list. */
const MAX_ENTRIES_PER_FILE = 20_000;
/** Problems of one place that are told. */
const MAX_PROBLEMS = 20;
/** How long a search of the folders is trusted. */
const SEARCH_MS = 2_000;
/** Other work gets a chance this often while files are read. */
const SLICE_MS = 15;

interface ReadFile {
  /** Size and time of the last change, which tell whether it has to be read again. */
  readonly version: string;
  readonly entries: readonly RecordingEntry[];
  readonly skipped: number;
  readonly problems: readonly string[];
}

interface Searched {
  readonly entries: readonly RecordingEntry[];
  readonly places: readonly RecordingPlace[];
}

/**
 * The recordings below these paths, in which a `*` stands for any characters of a name. A file is read when the list is
 * wanted for the first time, and again after it has changed. The list holds no steps: `load` reads them from the file.
 * `onProblem` is told what cannot be read, once each time that a file is read.
 */
export function createRecordingLibrary(
  paths: readonly string[],
  now: () => number = () => performance.now(),
  onProblem: (sentence: string) => void = () => {},
): RecordingLibrary {
  const told = new Set<string>();
  const tell = (problem: string, version: string) => {
    if (told.has(`${version} ${problem}`)) return;
    told.add(`${version} ${problem}`);
    onProblem(problem);
  };
  const files = new Map<string, ReadFile>();
  let last: { readonly at: number; readonly searched: Promise<Searched> } | undefined;

  const search = (): Promise<Searched> => {
    if (last !== undefined && now() - last.at < SEARCH_MS) return last.searched;
    const previous = last?.searched.catch(() => undefined) ?? Promise.resolve();
    const searched = previous.then(() => searchPlaces(paths, files, tell));
    const current = { at: now(), searched };
    last = current;
    // A long search is trusted from its end on.
    const trustFromNow = () => {
      if (last === current) last = { at: now(), searched };
    };
    searched.then(trustFromNow, trustFromNow);
    return searched;
  };

  return {
    list: async () => (await search()).entries,
    places: async () => (await search()).places,
    async load(id) {
      const entry = (await search()).entries.find((each) => each.id === id);
      return entry === undefined ? undefined : await loadRun(entry);
    },
  };
}

async function searchPlaces(
  paths: readonly string[],
  files: Map<string, ReadFile>,
  tell: (problem: string, version: string) => void,
): Promise<Searched> {
  const entries: RecordingEntry[] = [];
  const places: RecordingPlace[] = [];
  const present = new Set<string>();
  for (const place of paths) {
    let runs = 0;
    let skipped = 0;
    const problems: string[] = [];
    const { paths: expanded, skipped: unread } = await expandedPlace(place);
    for (const item of unread) problems.push(problemText(item.skipped));
    for await (const found of findRecordings(expanded)) {
      if (found.type === "skipped") {
        skipped++;
        problems.push(problemText(found.skipped));
        tell(problemText(found.skipped), "");
        continue;
      }
      if (present.has(found.file)) continue;
      present.add(found.file);
      const file = await readAgain(found.file, files.get(found.file));
      files.set(found.file, file);
      for (const entry of file.entries) entries.push(entry);
      runs += file.entries.length;
      skipped += file.skipped;
      problems.push(...file.problems);
      for (const problem of file.problems) tell(problem, file.version);
    }
    places.push({ place, runs, skipped, problems: problems.slice(0, MAX_PROBLEMS) });
  }
  for (const file of files.keys()) if (!present.has(file)) files.delete(file);
  entries.sort((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0));
  return { entries: withoutSecondRecordings(entries), places };
}

/** A path without a `*` is itself, also if it is missing: then it is a problem. */
async function expandedPlace(place: string): ReturnType<typeof expandPath> {
  return place.includes("*") && !existsSync(place) ? expandPath(place) : { paths: [place], skipped: [] };
}

/** Of a session that is recorded twice, the recording of the hooks is shown: it has what the guardian did. */
function withoutSecondRecordings(entries: readonly RecordingEntry[]): readonly RecordingEntry[] {
  const keyOf = ({ source, recordedId }: RecordingEntry) => `${source} ${recordedId}`;
  const ofHooks = new Set(entries.flatMap((entry) => (entry.guardian === undefined ? [] : keyOf(entry))));
  return entries.filter((entry) => entry.guardian !== undefined || !ofHooks.has(keyOf(entry)));
}

async function readAgain(file: string, known: ReadFile | undefined): Promise<ReadFile> {
  const version = await versionOf(file);
  return known !== undefined && known.version === version ? known : { version, ...(await readEntries(file)) };
}

/**
 * Size and time of the last change, also of what changes instead of the file: the log of a database, and what lies in a
 * folder that is one recording.
 */
async function versionOf(file: string): Promise<string> {
  try {
    const info = await stat(file);
    const parts = info.isDirectory() ? (await readdir(file)).map((name) => join(file, name)) : [`${file}-wal`];
    const infos = [info, ...(await Promise.all(parts.map((part) => stat(part).catch(() => undefined))))];
    return infos.map((each) => (each === undefined ? "-" : `${each.size} ${each.mtimeMs}`)).join(" ");
  } catch {
    return "gone"; // reading it says so, as a skipped file
  }
}

async function readEntries(file: string): Promise<Omit<ReadFile, "version">> {
  const entries: RecordingEntry[] = [];
  const sameIdsOf = createSameIds();
  let skipped = 0;
  const problems: string[] = [];
  let sliceStart = performance.now();
  for await (const item of readRecordingFile(file)) {
    if (item.type === "run" && entries.length < MAX_ENTRIES_PER_FILE) {
      entries.push(recordingEntry(item.run, { file, line: item.line, sameIds: sameIdsOf(item.run.id) }));
    } else {
      skipped++;
      const text = item.type === "run" ? tooManyRuns(file, item.line) : problemText(item.skipped);
      if (problems.length < MAX_PROBLEMS) problems.push(text);
    }
    if (performance.now() - sliceStart < SLICE_MS) continue;
    await setImmediate();
    sliceStart = performance.now();
  }
  return { entries, skipped, problems };
}

/** "runs.jsonl:3: steps is missing". */
function problemText({ file, line, why }: Skipped): string {
  return `${line === 0 ? file : `${file}:${line}`}: ${why}`;
}

function tooManyRuns(file: string, line: number): string {
  return `${file}:${line}: only the first ${MAX_ENTRIES_PER_FILE.toLocaleString("en-US")} runs of a file are listed`;
}

/** Several runs may come from one line or document: the id tells them apart, and their order those with the same id. */
async function loadRun({ file, line, id }: RecordingEntry): Promise<RecordedRun | undefined> {
  const sameIdsOf = createSameIds();
  for await (const item of readRecordingFile(file)) {
    if (item.type !== "run") continue;
    const sameIds = sameIdsOf(item.run.id);
    if (item.line === line && recordingId(file, item.run.id, sameIds) === id) return maskedRecording(item.run);
  }
  return undefined; // the file has changed
}
