import { existsSync, linkSync, renameSync } from "node:fs";

/**
 * Gives a file a second name that nothing has yet; throws with `EEXIST` where something has it. Where a file system knows no second names, the file gets the new one
 * in place of the old: two processes that do so in the same moment may then take it from each other, which the one who has lost it notices when it writes.
 */
export function linkExclusively(from: string, to: string, link: typeof linkSync = linkSync): void {
  try {
    link(from, to);
  } catch (error) {
    if (!isUnknownHere(error)) throw error;
    if (existsSync(to))
      throw Object.assign(new Error(`EEXIST: file already exists, rename '${from}' -> '${to}'`), { code: "EEXIST" });
    renameSync(from, to);
  }
}

function isUnknownHere(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    ["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"].includes(String(error.code))
  );
}
