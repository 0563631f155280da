import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { realPath } from "../sandbox/real-path.ts";

/** The resources of a call on a file: its real path and its inode, so that links to one file are one resource. */
export function touchedPaths(workspace: string, path: string): readonly string[] {
  const absolute = resolve(workspace, path.replaceAll("\0", ""));
  const folder = dirname(absolute);
  const real = realPath(absolute) ?? join(realPath(folder) ?? folder, basename(absolute));
  const stats = statSync(real, { throwIfNoEntry: false, bigint: true });
  return stats?.isFile() === true ? [real, `file:${stats.dev}:${stats.ino}`] : [real];
}
