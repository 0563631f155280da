import { dirname, resolve } from "node:path";
import { isFolder, physicalPath } from "./files/path-location.ts";
import type { PathUse } from "./gate.ts";

/** With more files, their folders stand for them. */
const maxFiles = 100;

/**
 * The files that a call would write, absolute and without links. A folder that is already there is left out: what is
 * written into it is listed by itself.
 */
export function writtenPaths(paths: readonly PathUse[], workspace: string): readonly string[] {
  const root = physicalPath(resolve(workspace), ".") ?? resolve(workspace);
  const written = paths.filter(({ access }) => access === "write").map(({ path }) => plainPath(resolve(root, path)));
  const files = [...new Set(written)].filter((path) => !isFolder(path));
  return files.length <= maxFiles ? files : [...new Set(files.map((path) => dirname(path)))].slice(0, maxFiles);
}

/** The folder stands for a file whose name has control characters. */
function plainPath(path: string): string {
  return /\p{Cc}/u.test(path) ? dirname(path).replace(/\/[^/]*\p{Cc}.*$/su, "") : path;
}
