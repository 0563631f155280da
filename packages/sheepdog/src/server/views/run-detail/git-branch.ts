import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The branch that is checked out in a folder; null if it is no repository, or no branch is checked out. */
export async function gitBranch(folder: string): Promise<string | null> {
  try {
    const head = await readFile(join(folder, ".git", "HEAD"), "utf8");
    return /^ref: refs\/heads\/([\w./-]{1,200})\s*$/.exec(head)?.[1] ?? null;
  } catch {
    return null; // no repository, a work tree of another one, or not readable
  }
}
