import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { closestName } from "@sheepdog/guardian";
import { resolvePath, shownPath } from "../paths.ts";

/** The path of an existing neighbour whose name is most like the one that is missing. */
export async function nearbyName(workspace: string, asked: string): Promise<string | undefined> {
  const resolved = await resolvePath(workspace, asked);
  if (!resolved.ok) return undefined;
  const names = await readdir(dirname(resolved.path)).catch(() => []); // no such folder: no neighbours
  const near = closestName(basename(resolved.path), names.slice(0, 2_000));
  return near === undefined ? undefined : shownPath(resolved.workspace, join(dirname(resolved.path), near));
}
