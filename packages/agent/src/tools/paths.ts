import { readlink, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isInside } from "../protocol/is-inside.ts";
import { describeFileError, errorCode } from "./files/file-error.ts";
import { printableName } from "./printable-name.ts";

/** A path with all links followed. `workspace` is the real path of the workspace. */
export type ResolvedPath =
  | { readonly ok: true; readonly path: string; readonly workspace: string; readonly isInside: boolean }
  | { readonly ok: false; readonly problem: string };

const maxLinks = 40;

/** Resolves a path against the workspace. The missing end of a path is appended to the real path of what exists. */
export async function resolvePath(workspace: string, path: string): Promise<ResolvedPath> {
  if (path.trim() === "") return { ok: false, problem: "The path is empty." };
  if (path.includes("\0")) return { ok: false, problem: `The path ${printableName(path)} contains a NUL character.` };
  const root = await realpath(workspace).catch(() => undefined);
  if (root === undefined) return { ok: false, problem: "The workspace folder does not exist any more." };
  try {
    const real = await followLinks(resolve(root, expandHome(path)), { linksLeft: maxLinks });
    return { ok: true, path: real, workspace: root, isInside: isInside(root, real) };
  } catch (error) {
    return { ok: false, problem: `${printableName(path)}: ${describeFileError(error)}.` };
  }
}

/** Resolves a path to write to. A path outside the workspace is a problem. */
export async function resolveInside(workspace: string, path: string): Promise<ResolvedPath> {
  const resolved = await resolvePath(workspace, path);
  if (!resolved.ok || resolved.isInside) return resolved;
  return { ok: false, problem: outsideWorkspace(path) };
}

/** Tells the model that a path leads out of the workspace. */
export function outsideWorkspace(path: string): string {
  return `${printableName(path)} is outside the workspace: write to a path inside it.`;
}

/** A path for messages: relative inside the workspace, absolute elsewhere, on one line. */
export function shownPath(workspace: string, path: string): string {
  return printableName(isInside(workspace, path) ? relative(workspace, path) || "." : path);
}

function expandHome(path: string): string {
  if (path === "~") return homedir();
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
}

/** `realpath` that also works when the end of the path is missing, and follows links to missing files. */
async function followLinks(path: string, budget: { linksLeft: number }): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const realParent = await followLinks(parent, budget);
  const realPath = join(realParent, basename(path));
  const link = await readlink(realPath).catch(() => undefined); // not a link, or missing
  if (link === undefined) return realPath;
  if (budget.linksLeft-- <= 0) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
  return followLinks(resolve(realParent, link), budget);
}
