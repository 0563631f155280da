import { existsSync } from "node:fs";
import { join } from "node:path";

/** The git directory of a repository (`owner/name`) among the clones of a folder; undefined when there is none. */
export function findClone(folder: string, repository: string): string | undefined {
  const [owner = "", name = ""] = repository.split("/");
  for (const clone of [join(folder, `${owner}+${name}`), join(folder, name)]) {
    const withFiles = join(clone, ".git");
    if (existsSync(withFiles)) return withFiles;
    if (isGitDirectory(clone)) return clone;
  }
  return undefined;
}

/** Whether a folder is a bare clone. */
function isGitDirectory(folder: string): boolean {
  return existsSync(join(folder, "HEAD")) && existsSync(join(folder, "objects"));
}
