import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * True if git takes a folder itself for a repository, as it does with `.git` and with a bare repository: then it reads
 * the configuration and the hooks that are in it. True also for some folders that git would not take.
 */
export function isGitFolder(folder: string): boolean {
  const has = (name: string) => hasEntry(folder, name);
  return (has("commondir") || (has("objects") && has("refs"))) && isHead(join(folder, "HEAD"));
}

/** True if a folder has a part that git looks for: one more file may make it a git folder. */
export function hasGitParts(folder: string): boolean {
  const has = (name: string) => hasEntry(folder, name);
  return has("HEAD") || has("commondir") || (has("objects") && has("refs"));
}

/** Whether a folder has a file, a folder or a link of this name. The link may lead nowhere: git allows it for HEAD. */
export function hasEntry(folder: string, name: string): boolean {
  return statsOf(join(folder, name)) !== undefined;
}

/** As git checks it: a link, the name of a branch, or the hash of a commit. */
function isHead(path: string): boolean {
  const stats = statsOf(path);
  if (stats?.isFile() !== true) return stats?.isSymbolicLink() === true;
  try {
    return /^(?:ref:\s*refs\/|[\da-f]{40})/i.test(readFileSync(path, "latin1"));
  } catch {
    return false; // git cannot read it either
  }
}

function statsOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // below a file, or in a folder that must not be entered
  }
}
