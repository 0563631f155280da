import { join } from "node:path";
import { readRegularFile } from "@sheepdog/records/files";

/** The branch that is checked out in a folder; null if it is no repository, or no branch is checked out. */
export async function gitBranch(folder: string): Promise<string | null> {
  try {
    const head = readRegularFile(join(folder, ".git", "HEAD"));
    return /^ref: refs\/heads\/([\w./-]{1,200})\s*$/.exec(head)?.[1] ?? null;
  } catch {
    return null; // no repository, a work tree of another one, or not readable
  }
}
