import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { locatePath, type PathLocation, physicalPath } from "./path-location.ts";

/** How many entries one walk looks at. */
export const maxEntries = 20_000;

/** An entry found below a folder. */
export interface WalkedEntry {
  /** Its real path, without following the entry itself. */
  readonly path: string;
  readonly name: string;
  readonly isLink: boolean;
  readonly isFile: boolean;
  /** Where it leads, for a link its target. */
  readonly location: PathLocation;
}

export interface WalkOptions {
  /** Also looks into the folders that links lead to. */
  readonly isFollowing?: boolean;
  /** Names that are left out; with `/` in front: only directly below the path. `.*` stands for all hidden ones. */
  readonly excludes?: readonly string[];
  /** Those are not left out themselves, only what is below them. */
  readonly keepsExcluded?: boolean;
  /** Looks at the path and its direct entries only. */
  readonly isFlat?: boolean;
  /** How many entries are looked at. */
  readonly most?: number;
}

/** Everything below a path, the path itself included; undefined when it is too much to look at. */
export function entriesBelow(
  workspace: string,
  start: string,
  { isFollowing = false, excludes = [], keepsExcluded = false, isFlat = false, most = maxEntries }: WalkOptions = {},
): readonly WalkedEntry[] | undefined {
  const entries: WalkedEntry[] = [];
  const visited = new Set<string>();
  const pending: string[] = [];
  const add = (path: string, kind: Pick<Dirent, "isSymbolicLink" | "isFile" | "isDirectory">): void => {
    const isLink = kind.isSymbolicLink();
    const location = isLink ? locatePath(workspace, "/", path) : locationOf(workspace, path);
    entries.push({ path, name: path.slice(path.lastIndexOf("/") + 1), isLink, isFile: kind.isFile(), location });
    const target = isLink && isFollowing && location !== "outside" ? physicalPath("/", path) : undefined;
    if (kind.isDirectory()) pending.push(path);
    else if (target !== undefined) pending.push(target);
  };
  const first = kindOf(start);
  if (first !== undefined) add(start, first);
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (visited.has(folder) || (isFlat && folder !== start)) continue;
    visited.add(folder);
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      const isLeftOut = isExcluded(entry.name, folder === start, excludes);
      if (!isLeftOut || keepsExcluded) add(path, entry);
      if (isLeftOut) visited.add(path); // nothing below it is found
    }
    if (entries.length > most) return undefined;
  }
  return entries;
}

function isExcluded(name: string, isTop: boolean, excludes: readonly string[]): boolean {
  if (excludes.length === 0) return false;
  return (
    excludes.includes(name) ||
    (isTop && excludes.includes(`/${name}`)) ||
    (name.startsWith(".") && excludes.includes(".*"))
  );
}

/** The location of a real path inside the workspace, without asking the file system for each part of it. */
function locationOf(workspace: string, path: string): PathLocation {
  if (path === workspace) return "root";
  if (!path.startsWith(workspace === "/" ? "/" : `${workspace}/`)) return locatePath(workspace, "/", path);
  const inside = path.slice(workspace.length).toLowerCase();
  if (/\/\.git(?:\/|$)/.test(inside)) return "git";
  return /\/\.sheepdog(?:\/|$)/.test(inside) ? "sheepdog" : "inside";
}

function kindOf(path: string): Pick<Dirent, "isSymbolicLink" | "isFile" | "isDirectory"> | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // below a file, or not readable: there is nothing to find
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not a folder, or not readable: there is nothing to find
  }
}

/** Whether a path is a regular file that has other names, which may be outside the workspace. */
export function isHardLinked(path: string): boolean {
  try {
    const status = lstatSync(path, { throwIfNoEntry: false });
    return status?.isFile() === true && status.nlink > 1;
  } catch {
    return false; // it cannot be opened either
  }
}
