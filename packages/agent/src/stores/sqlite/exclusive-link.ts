import { existsSync, linkSync, renameSync } from "node:fs";

/**
 * Gives a file a second name. Throws with code `EEXIST` when the name is taken.
 *
 * On a file system without hard links it renames the file instead. Two processes that do this at the same moment may
 * replace each other's file; the one that lost notices it at its next write.
 */
export function linkExclusively(from: string, to: string, link: typeof linkSync = linkSync): void {
  try {
    link(from, to);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    if (existsSync(to))
      throw Object.assign(new Error(`EEXIST: file already exists, rename '${from}' -> '${to}'`), { code: "EEXIST" });
    renameSync(from, to);
  }
}

function isUnsupported(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    ["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"].includes(String(error.code))
  );
}
