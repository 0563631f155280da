import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type ArmedParts, armedParts } from "./armed-parts.ts";
import { isGitFolder } from "./git-folder.ts";
import { hasUnreadableName, identityOf, realFolder } from "./git-folders.ts";

/** A place in a workspace where git, started there, finds a repository. */
export interface Repository {
  /** `.git`, or the folder itself if it is a bare repository. */
  readonly entry: string;
  /** The real path of the git folder. Undefined: the entry names a folder that only git can find. */
  readonly gitFolder: string | undefined;
  /** Stays the same when the repository is moved. Undefined for a file or a link, which names the git folder. */
  readonly identity: string | undefined;
  readonly parts: ArmedParts;
}

/** What was found in one search. */
export interface FoundRepositories {
  readonly repositories: readonly Repository[];
  /** There are too many folders: not all were looked at. */
  readonly isCut: boolean;
  /** False if there are folders that were not looked at: too many, or such that cannot be listed. */
  readonly isComplete: boolean;
}

const maxFolders = 20_000;
const maxSearchMs = 5_000;
const recentMs = 2_000;

/** What matters of the content of a folder. */
interface Listing {
  readonly ino: number;
  /** Changes with each entry that is added, removed or renamed. NaN: it must be listed again. */
  readonly changeTimeMs: number;
  /** The paths of the folders in it. */
  readonly folders: readonly string[];
  /** `.git` as it is written. */
  readonly gitNames: readonly string[];
  readonly mayBeBare: boolean;
  /** All its folders can be looked at. */
  readonly isWhole: boolean;
}

/** Finds the repositories in the folders of a workspace. */
export interface RepositorySearch {
  /** Looks at all folders, and at these in any case. Links are not followed. */
  run(folders: readonly string[]): FoundRepositories;
}

/** A search lists only folders again that have changed since the one before it. */
export function createRepositorySearch(workspace: string): RepositorySearch {
  let known: ReadonlyMap<string, Listing> = new Map();
  return {
    run(folders) {
      const listings = new Map<string, Listing>();
      const entries = new Set(folders.map((folder) => join(folder, ".git")));
      const endMs = performance.now() + maxSearchMs;
      const pending = [workspace];
      let isCut = false;
      for (const folder of pending) {
        isCut = listings.size >= maxFolders || performance.now() > endMs;
        if (isCut) break;
        const listing = list(folder, known.get(folder));
        if (listing === undefined) continue;
        listings.set(folder, listing);
        for (const path of listing.folders) pending.push(path);
        if (folder === workspace) continue; // its own repository is protected by mounts
        for (const name of listing.gitNames) entries.add(`${folder}/${name}`);
        if (listing.mayBeBare && isGitFolder(folder)) entries.add(folder);
      }
      known = listings;
      const isComplete = !isCut && [...listings.values()].every(({ isWhole }) => isWhole);
      return { repositories: [...entries].flatMap((entry) => repositoryAt(entry) ?? []), isCut, isComplete };
    },
  };
}

/** Undefined if the folder is gone or must not be entered. */
function list(folder: string, known: Listing | undefined): Listing | undefined {
  try {
    const { ino, ctimeMs } = lstatSync(folder);
    if (known?.ino === ino && known.changeTimeMs === ctimeMs) return known;
    // A folder that has just changed may change again in the same tick of the system's clock.
    const changeTimeMs = Date.now() - ctimeMs > recentMs ? ctimeMs : Number.NaN;
    return { ...readListing(folder), ino, changeTimeMs };
  } catch {
    return undefined;
  }
}

function readListing(folder: string): Omit<Listing, "ino" | "changeTimeMs"> {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const names = new Set(entries.map(({ name }) => name));
    const isGit = (name: string) => name.toLowerCase() === ".git"; // some file systems do not tell them apart
    const folders = entries.flatMap((entry) => (entry.isDirectory() && entry.name !== ".git" ? [entry.name] : []));
    return {
      folders: folders.filter(isText).map((name) => `${folder}/${name}`),
      gitNames: [...names].filter(isGit),
      mayBeBare: names.has("HEAD") && (names.has("commondir") || (names.has("objects") && names.has("refs"))),
      isWhole: folders.every(isText),
    };
  } catch {
    return { folders: [], gitNames: [".git"], mayBeBare: true, isWhole: false }; // git may enter what cannot be listed
  }
}

const isText = (name: string): boolean => !name.includes("\ufffd");

function repositoryAt(entry: string): Repository | undefined {
  try {
    const isFolder = lstatSync(entry).isDirectory();
    const gitFolder = isFolder ? entry : realFolder(entry);
    if (gitFolder === undefined && !hasUnreadableName(entry)) return undefined;
    return {
      entry,
      gitFolder,
      identity: isFolder ? identityOf(entry) : undefined,
      parts: gitFolder === undefined ? { settings: undefined, files: new Map(), steps: [] } : armedParts(gitFolder),
    };
  } catch {
    return undefined; // it is gone, or git cannot read it either
  }
}
