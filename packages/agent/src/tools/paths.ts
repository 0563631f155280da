import { readlink, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { describeFileError, errorCode } from "./files/file-error.ts";
import { printableName } from "./printable-name.ts";

/** A path with every link in it followed, and where that is: `workspace` is the workspace's own real path. */
export type ResolvedPath =
  | { readonly ok: true; readonly path: string; readonly workspace: string; readonly isInside: boolean }
  | { readonly ok: false; readonly problem: string };

const mostLinks = 40;

/** Whether a path is the folder or below it, by whole components: `/work-evil` is not inside `/work`. Both are absolute. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || !(isAbsolute(way) || way === ".." || way.startsWith(`..${sep}`));
}

/** Where a path really leads, seen from the workspace. What does not exist yet is placed under the real path of what does. */
export async function resolvePath(workspace: string, asked: string): Promise<ResolvedPath> {
  if (asked.trim() === "") return { ok: false, problem: "The path is empty." };
  if (asked.includes("\0")) return { ok: false, problem: `The path ${printableName(asked)} holds a NUL character.` };
  const root = await realpath(workspace).catch(() => undefined);
  if (root === undefined) return { ok: false, problem: "The workspace folder is gone." };
  try {
    const path = await follow(resolve(root, fromHome(asked)), { linksLeft: mostLinks });
    return { ok: true, path, workspace: root, isInside: isInside(root, path) };
  } catch (error) {
    return { ok: false, problem: `${printableName(asked)}: ${describeFileError(error)}.` };
  }
}

/** The real path of something that is to be written: outside of the workspace is a problem. */
export async function resolveInside(workspace: string, asked: string): Promise<ResolvedPath> {
  const resolved = await resolvePath(workspace, asked);
  if (!resolved.ok || resolved.isInside) return resolved;
  return { ok: false, problem: outsideWorkspace(asked) };
}

/** What is said of a path that leads out of the workspace. */
export function outsideWorkspace(asked: string): string {
  return `${printableName(asked)} is outside of the workspace: only what is inside can be written.`;
}

/** A path as the model would write it: relative inside of the workspace, absolute elsewhere, shown on one line. */
export function shownPath(workspace: string, path: string): string {
  return printableName(isInside(workspace, path) ? relative(workspace, path) || "." : path);
}

function fromHome(path: string): string {
  if (path === "~") return homedir();
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
}

/** `realpath` that also works where the end of the path is missing, and follows a link to what is missing. */
async function follow(path: string, budget: { linksLeft: number }): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const realParent = await follow(parent, budget);
  const place = join(realParent, basename(path));
  const link = await readlink(place).catch(() => undefined); // not a link, or not there
  if (link === undefined) return place;
  if (budget.linksLeft-- <= 0) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
  return follow(resolve(realParent, link), budget);
}
