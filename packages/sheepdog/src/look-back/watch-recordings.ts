import type { Level } from "@sheepdog/guardian";
import type { ReportedIntervention } from "@sheepdog/records";
import type { Sentence } from "@sheepdog/web/contract";
import { say } from "../sentences/say.ts";
import type { LookBackRun } from "./look-back-run.ts";
import { noRequests } from "./scan/file-facts.ts";
import { fileVersion } from "./scan/file-version.ts";
import { findFiles } from "./scan/find-files.ts";
import { performReadTask } from "./scan/read-task.ts";
import type { ScanRequest } from "./scan/scan-request.ts";
import { runKey } from "./unique-runs.ts";

/** What the guardian would have said or done in a run that is being recorded. */
export interface SeenIntervention {
  readonly run: LookBackRun;
  readonly detector: ReportedIntervention["detector"];
  readonly level: Level;
  /** What the agent had repeated by then, and how often; for a limit, the message. */
  readonly sentence: Sentence;
}

/** Follows recordings while agents write them. */
export interface RecordingWatch {
  /** Reads what has changed, and returns what is new. Of one repetition only the highest new level is returned. */
  look(): Promise<readonly SeenIntervention[]>;
  /** The recordings that changed lately. */
  active(): number;
}

export interface WatchOptions {
  readonly now: () => number;
  /** A recording is followed for this long after its last change. */
  readonly activeMs?: number;
  /** How often the folders are searched for new recordings. */
  readonly searchMs?: number;
}

interface WatchedFile {
  readonly file: string;
  readonly createdAt: number;
  version: string;
  /** A long recording takes long to read, so it is read less often. */
  nextReadAt: number;
}

const ACTIVE_MS = 30 * 60_000;
const SEARCH_MS = 10_000;
/** Reading takes at most this part of the time. */
const READING_SHARE = 0.1;

/** Creates a watch. What is in the recordings already is known, and is not returned. */
export function createRecordingWatch(
  request: ScanRequest,
  { now, activeMs = ACTIVE_MS, searchMs = SEARCH_MS }: WatchOptions,
): RecordingWatch {
  const startedAt = now();
  const files = new Map<string, WatchedFile>();
  const seen = new Set<string>();
  /** The runs that their agents recorded themselves. */
  const ownRuns = new Set<string>();
  let searchedAt = Number.NEGATIVE_INFINITY;

  async function search(): Promise<void> {
    searchedAt = now();
    const found = await findFiles({ ...request, since: searchedAt - activeMs });
    const recent = found.files.filter(({ isOld }) => !isOld);
    const active = new Set(recent.map(({ file }) => file));
    for (const file of files.keys()) if (!active.has(file)) files.delete(file);
    for (const { file, createdAt } of recent) {
      const watched = { file, createdAt: Number(createdAt / 1_000_000n), version: "", nextReadAt: 0 };
      if (!files.has(file)) files.set(file, watched);
    }
  }

  async function read(watched: WatchedFile): Promise<readonly SeenIntervention[]> {
    const state = await fileVersion(watched.file);
    if (state === undefined || state.version === watched.version || now() < watched.nextReadAt) return [];
    const isFirst = watched.version === "";
    const begin = now();
    const runs: LookBackRun[] = [];
    const { policy, priceOverrides } = request;
    const task = { file: watched.file, copies: noRequests, policy, priceOverrides, now: begin };
    for await (const answer of performReadTask(task)) if (answer.type === "run") runs.push(answer.run);
    watched.version = state.version;
    watched.nextReadAt = now() + (now() - begin) / READING_SHARE;
    const isOld = isFirst && watched.createdAt < startedAt;
    for (const run of runs) if (!run.isOfHooks) ownRuns.add(runKey(run));
    return runs
      .filter((run) => !(run.isOfHooks && ownRuns.has(runKey(run))))
      .filter(({ folder }) => request.isProject?.(folder) !== false)
      .flatMap((run) => newInterventions(run, seen, (at) => (at === null ? !isOld : at >= startedAt)));
  }

  return {
    async look() {
      if (now() - searchedAt >= searchMs) await search();
      const found: SeenIntervention[] = [];
      for (const watched of files.values()) found.push(...(await read(watched)));
      return found;
    },
    active: () => files.size,
  };
}

/** The interventions that have not been seen yet; all are seen from now on. */
function newInterventions(
  run: LookBackRun,
  seen: Set<string>,
  isNew: (at: number | null) => boolean,
): readonly SeenIntervention[] {
  const isUnseen = (detector: string, { level, call }: { readonly level: Level; readonly call: number }) => {
    const key = `${run.id} ${detector} ${level} ${call}`;
    const isFirstTime = !seen.has(key);
    seen.add(key);
    return isFirstTime;
  };
  const repeated = run.episodes.flatMap(({ detector, interventions }) => {
    const unseen = interventions.filter((each) => isUnseen(detector, each)).filter(({ at }) => isNew(at));
    const highest = unseen.at(-1);
    if (highest === undefined) return [];
    const { level, sentence } = highest;
    return [{ run, detector: detector as Detector, level, sentence }]; // the guardian's name
  });
  // A limit has the guardian's name, too.
  const limits = run.limits
    .filter((each) => isUnseen(each.limit, each))
    .filter(({ at }) => isNew(at ?? run.endedAt))
    .map(({ limit, level, message }) => ({ run, detector: limit as Detector, level, sentence: say`${message}` }));
  return [...repeated, ...limits];
}

type Detector = SeenIntervention["detector"];
