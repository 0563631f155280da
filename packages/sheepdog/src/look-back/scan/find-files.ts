import { resolve } from "node:path";
import { type AgentPlace, agentPlaces, findAgentRecordings, findRecordings, type Skipped } from "@sheepdog/records";
import { type FileVersion, fileVersion } from "./file-version.ts";
import type { ScanRequest } from "./scan-request.ts";

/** A file to read, or a folder that is one recording. */
export interface FoundFile extends FileVersion {
  readonly file: string;
  readonly place: SearchedPlace;
  /** It has not changed in the time that is wanted: only the model requests that it owns matter. */
  readonly isOld: boolean;
}

/** The place of a recording from standard input. */
export const stdinPlace: SearchedPlace = { agent: null, path: "stdin" };

/** A place that was searched. */
export interface SearchedPlace {
  /** "Claude Code"; null for a path that the user gave. */
  readonly agent: string | null;
  readonly path: string;
  readonly isOutdated?: true;
  /** What hooks recorded besides the agent itself. */
  readonly isOfHooks?: true;
}

/** The files of a scan. */
export interface FoundFiles {
  readonly places: readonly SearchedPlace[];
  /** Each file once, old ones too; the owner of a model request comes before its copies. */
  readonly files: readonly FoundFile[];
  readonly skipped: readonly Skipped[];
}

type FoundInPlace =
  | { readonly type: "file"; readonly file: string; readonly place: SearchedPlace }
  | { readonly type: "skipped"; readonly skipped: Skipped };

/** Finds the files that a request means. Opens none of them. */
export async function findFiles(request: ScanRequest): Promise<FoundFiles> {
  const { places, found } = search(request);
  const byIdentity = new Map<string, FoundFile>();
  const skipped: Skipped[] = [];
  for await (const each of found) {
    if (each.type === "skipped") {
      skipped.push(each.skipped);
      continue;
    }
    const { file, place } = each;
    const version = await fileVersion(file);
    if (version === undefined || byIdentity.has(version.identity)) continue;
    const isOld = version.changedAt < (request.since ?? 0);
    byIdentity.set(version.identity, { ...version, file, place, isOld });
  }
  return { places, files: [...byIdentity.values()].sort(byOwnership), skipped };
}

interface Search {
  readonly places: readonly SearchedPlace[];
  readonly found: AsyncIterable<FoundInPlace>;
}

function search({ paths, stdin, machine, agent }: ScanRequest): Search {
  if (stdin !== undefined || paths.length > 0) {
    const places = paths.map((path) => ({ agent: null, path }));
    return { places: [...(stdin === undefined ? [] : [stdinPlace]), ...places], found: inPaths(places) };
  }
  const wanted = agentPlaces(machine).filter((place) => agent === undefined || place.agent === agent);
  const places = new Map(
    wanted.map((place): [AgentPlace, SearchedPlace] => {
      const { label, path, isOutdated, isOfHooks } = place;
      return [place, { agent: label, path, ...(isOutdated && { isOutdated }), ...(isOfHooks && { isOfHooks }) }];
    }),
  );
  return { places: [...places.values()], found: inPlaces(places) };
}

async function* inPaths(places: readonly SearchedPlace[]): AsyncGenerator<FoundInPlace> {
  for (const place of places)
    for await (const found of findRecordings([place.path]))
      yield found.type === "file" ? { ...found, file: resolve(found.file), place } : found;
}

async function* inPlaces(places: ReadonlyMap<AgentPlace, SearchedPlace>): AsyncGenerator<FoundInPlace> {
  for await (const found of findAgentRecordings([...places.keys()])) {
    const place = found.type === "file" ? places.get(found.place) : undefined;
    if (found.type === "skipped") yield found;
    else if (place !== undefined) yield { ...found, place };
  }
}

/** The first file that holds a model request owns it. */
function byOwnership(one: FoundFile, other: FoundFile): number {
  const [a, b] = [isSecondary(one), isSecondary(other)];
  if (a !== b) return a ? 1 : -1;
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1;
  return one.file < other.file ? -1 : 1;
}

function isSecondary({ place }: FoundFile): boolean {
  return place.isOutdated === true || place.isOfHooks === true;
}
