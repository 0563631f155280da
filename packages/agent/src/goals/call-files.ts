import { realpathSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { isInside } from "../protocol/is-inside.ts";
import type { Tool } from "../tools/tool.ts";

/** The files that a tool which changes things names for a call. */
export function namedFiles(tool: Pick<Tool, "kind" | "touches"> | undefined, input: unknown): readonly string[] {
  if (tool?.kind !== "mutate" || input === undefined) return [];
  try {
    return (tool.touches?.(input) ?? []).filter((path) => isAbsolute(path));
  } catch {
    return []; // it was written for validated arguments
  }
}

/** Shows absolute paths to rules: relative to the workspace, absolute outside of it. */
export function createPathView(workspace: string): (path: string) => string {
  let root: string | undefined;
  return (path) => {
    root ??= physicalFolder(workspace);
    return isInside(root ?? workspace, path) ? relative(root ?? workspace, path) : path;
  };
}

/** Whether a path stands for a file: what is written to a device is written nowhere. */
export function isFile(path: string): boolean {
  return isAbsolute(path) && !path.startsWith("/dev/");
}

/** Undefined while the folder is missing: nothing was written into it. */
function physicalFolder(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
