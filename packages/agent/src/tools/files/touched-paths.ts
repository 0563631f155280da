import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** What a call on a file touches: its real path, and the file itself where it exists, so that another link to it is known as the same. */
export function touchedPaths(workspace: string, path: string): readonly string[] {
  const asked = resolve(workspace, path.replaceAll("\0", ""));
  const real = realPath(asked) ?? join(realPath(dirname(asked)) ?? dirname(asked), basename(asked));
  const stats = statSync(real, { throwIfNoEntry: false, bigint: true });
  return stats?.isFile() === true ? [real, `file:${stats.dev}:${stats.ino}`] : [real];
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined; // not there yet, or out of reach: then its own name has to do
  }
}
