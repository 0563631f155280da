import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isId } from "../compose/ids.ts";
import type { Home } from "../home.ts";

/** A run that has just begun may not be known yet. */
const restMs = 60_000;

/** Runs that are over and have orders lying there which nobody will carry out. */
export async function findLeftoverMessages(
  { controlDir }: Home,
  isLive: (runId: string) => boolean,
  at: number,
): Promise<readonly string[]> {
  const left: string[] = [];
  for (const name of await namesIn(controlDir)) {
    if (!isId(name) || isLive(name)) continue;
    const found = await lstat(join(controlDir, name)).catch(() => undefined); // gone meanwhile
    if (found?.isDirectory() && at - found.mtimeMs > restMs) left.push(name);
  }
  return left;
}

/** Takes them away. */
export async function removeMessages({ controlDir }: Home, runIds: readonly string[]): Promise<void> {
  for (const runId of runIds.filter(isId)) await rm(join(controlDir, runId), { recursive: true, force: true });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return []; // there is none, or none that can be read: nothing is left there
  }
}
