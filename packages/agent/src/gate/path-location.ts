import { lstatSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";

const maxLinks = 40;

/** Where a path leads when it is opened: links are followed, `..` is taken from where a link leads. What is not there yet is taken as it is written. */
export function physicalPath(from: string, path: string): string | undefined {
  let links = 0;
  function follow(base: string, rest: readonly string[]): string | undefined {
    let at = base;
    for (const [place, part] of rest.entries()) {
      if (part === "" || part === ".") continue;
      if (part === "..") {
        at = dirname(at);
        continue;
      }
      const next = join(at, part);
      const link = linkTarget(next);
      if (link === undefined) {
        at = next;
        continue;
      }
      links += 1;
      if (links > maxLinks) return undefined;
      const start = isAbsolute(link) ? parse(link).root : at;
      return follow(start, [...link.split(sep), ...rest.slice(place + 1)]);
    }
    return at;
  }
  if (path.includes("\0")) return undefined;
  const root = parse(from).root;
  const base = isAbsolute(path) ? root : follow(root, from.split(sep));
  return base === undefined ? undefined : follow(base, path.split(sep));
}

/** Whether a real path is the folder or lies in it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/**
 * Where a path lies: `root` is the workspace itself, `git` its bookkeeping, which decides what git runs, `own` the folder of Sheepdog, which lies in the workspace
 * of who works in their home folder: it holds limits, trust and the books.
 */
export type PathLocation = "inside" | "root" | "git" | "own" | "outside";

/** Tells where a path lies that is given relative to `from`. */
export function locatePath(workspace: string, from: string, path: string): PathLocation {
  const root = physicalPath(resolve(workspace), ".");
  const real = physicalPath(resolve(from), path);
  if (root === undefined || real === undefined || !isWithin(root, real)) return "outside";
  const parts = relative(root, real).toLowerCase().split(sep);
  if (parts.includes(".git")) return "git";
  if (parts.includes(".sheepdog")) return "own";
  return real === root ? "root" : "inside";
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
  } catch {
    return undefined; // not a folder, or not ours to look into: opening it will fail as well
  }
}
