import { lstatSync, readlinkSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { isInside } from "../../protocol/is-inside.ts";

/**
 * Where a path leads: `root` is the workspace itself; `git` is inside a .git folder, which decides what git runs;
 * `sheepdog` is inside a .sheepdog folder, which holds keys, limits, trust and the ledger, and lies inside the
 * workspace when that is the home folder.
 */
export type PathLocation = "inside" | "root" | "git" | "sheepdog" | "outside";

/** A path with all links followed. */
export interface LocatedPath {
  readonly location: PathLocation;
  /** Absolute; undefined if the path cannot be followed. */
  readonly real: string | undefined;
  /** Relative to the workspace, outside of it absolute. */
  readonly shown: string;
}

/** Follows a path that is relative to `from`. */
export function followPath(workspace: string, from: string, path: string): LocatedPath {
  const root = physicalPath(resolve(workspace), ".");
  const real = physicalPath(resolve(from), path);
  if (root === undefined || real === undefined || !isInside(root, real))
    return { location: "outside", real, shown: real ?? path };
  const shown = relative(root, real) || ".";
  const components = shown.toLowerCase().split(sep);
  if (components.includes(".git")) return { location: "git", real, shown };
  if (components.includes(".sheepdog")) return { location: "sheepdog", real, shown };
  return { location: real === root ? "root" : "inside", real, shown };
}

/** Locates a path that is relative to `from`. */
export function locatePath(workspace: string, from: string, path: string): PathLocation {
  return followPath(workspace, from, path).location;
}

/** Whether a path leads to a folder that is there. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // it is missing, or cannot be followed
  }
}

const maxLinks = 40;
/** No file has a longer path. */
export const maxPathLength = 4_096;

/**
 * The path that opening this path would lead to: links are followed, and `..` applies to the target of a link. Missing
 * components are taken as written. Undefined when it is too long or has too many links.
 */
export function physicalPath(from: string, path: string): string | undefined {
  let links = 0;
  function follow(base: string, components: readonly string[]): string | undefined {
    let current = base;
    for (const [index, component] of components.entries()) {
      if (component === "" || component === ".") continue;
      if (component === "..") {
        current = dirname(current);
        continue;
      }
      const next = join(current, component);
      const target = linkTarget(next);
      if (target === undefined) {
        current = next;
        continue;
      }
      links += 1;
      if (links > maxLinks) return undefined;
      const start = isAbsolute(target) ? parse(target).root : current;
      return follow(start, [...target.split(sep), ...components.slice(index + 1)]);
    }
    return current;
  }
  if (path.includes("\0") || path.length > maxPathLength) return undefined;
  const root = parse(from).root;
  const base = isAbsolute(path) ? root : follow(root, from.split(sep));
  return base === undefined ? undefined : follow(base, path.split(sep));
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
  } catch {
    return undefined; // not a folder, or not readable: opening it will fail as well
  }
}
