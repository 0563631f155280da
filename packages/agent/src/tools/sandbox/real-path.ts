import { realpathSync } from "node:fs";

/** The path without links; undefined if it does not exist. */
export function realPath(path: string): string | undefined {
  try {
    return path === "" ? undefined : realpathSync.native(path);
  } catch {
    return undefined;
  }
}
