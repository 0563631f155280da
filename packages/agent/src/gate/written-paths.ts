import { statSync } from "node:fs";
import { resolve } from "node:path";
import { matchingPaths } from "./file-pattern.ts";
import type { PathUse } from "./gate.ts";
import type { SimpleCommand } from "./judged-command.ts";
import { physicalPath } from "./path-location.ts";

/**
 * The files that a call would write, absolute and without links. A folder that is already there is left out: what is
 * written into it is listed by itself.
 */
export function writtenPaths(
  paths: readonly PathUse[],
  commands: readonly SimpleCommand[],
  workspace: string,
): readonly string[] {
  const folders = new Set([resolve(workspace), ...commands.flatMap((command) => command.folders)]);
  const written = paths
    .filter(({ access }) => access === "write")
    .flatMap(({ path }) => [...folders].flatMap((folder) => namedFiles(folder, path)));
  return [...new Set(written)].filter((path) => !isFolder(path));
}

/** The path itself, and the files that it matches if it is a pattern. */
function namedFiles(folder: string, path: string): readonly string[] {
  const matches = /[*?]/.test(path) ? (matchingPaths(folder, path) ?? []) : [];
  return [path, ...matches].flatMap((each) => physicalPath(folder, each) ?? []);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // it is missing
  }
}
