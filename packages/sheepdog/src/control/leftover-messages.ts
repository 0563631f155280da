import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isId } from "../compose/ids.ts";
import type { Home } from "../home.ts";

/** A run that has just started may not be in the store yet: its folder is left alone for this long. */
const minAgeMs = 60_000;

/** The ids of runs that have ended but still have a message folder. */
export async function findLeftoverMessages(
  { controlDir }: Home,
  isLive: (runId: string) => boolean,
  now: number,
): Promise<readonly string[]> {
  const leftover: string[] = [];
  for (const name of await namesIn(controlDir)) {
    if (!isId(name) || isLive(name)) continue;
    const folder = await lstat(join(controlDir, name)).catch(() => undefined); // removed meanwhile
    if (folder?.isDirectory() && now - folder.mtimeMs > minAgeMs) leftover.push(name);
  }
  return leftover;
}

/** Removes the message folders of these runs. */
export async function removeMessages({ controlDir }: Home, runIds: readonly string[]): Promise<void> {
  for (const runId of runIds.filter(isId)) await rm(join(controlDir, runId), { recursive: true, force: true });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return []; // missing or unreadable: nothing to remove
  }
}
