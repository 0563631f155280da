import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Io } from "../io.ts";

/** The path of the first executable of this name. */
export function findProgram(name: string, env: Io["env"]): string | undefined {
  const folders = (env["PATH"] ?? "").split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
