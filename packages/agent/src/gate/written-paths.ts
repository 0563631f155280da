import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { PathUse } from "./gate.ts";

/**
 * The files that a call would write, as absolute paths. A folder that is already there is left out: what is written
 * into it is listed by itself.
 */
export function writtenPaths(paths: readonly PathUse[], workspace: string): readonly string[] {
  const written = paths.filter(({ access }) => access === "write").map(({ path }) => resolve(workspace, path));
  return [...new Set(written)].filter((path) => !isFolder(path));
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // it is missing
  }
}
