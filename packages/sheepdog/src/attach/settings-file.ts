import { lstat, mkdir, readFile, readlink, realpath, rmdir, stat, unlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { editFile } from "../config/edit-file.ts";

/** A settings file as it is found. */
export interface SettingsFile {
  /** The file itself, where the path is a symbolic link. */
  readonly target: string;
  /** Undefined if there is no file. */
  readonly text: string | undefined;
  /** Nobody may write it, as with settings that another program manages. */
  readonly isReadOnly: boolean;
}

/** Reads settings, or says why Sheepdog cannot change them. */
export async function readSettingsFile(
  path: string,
): Promise<({ readonly ok: true } & SettingsFile) | { readonly ok: false; readonly problem: string }> {
  try {
    const target = await targetOf(path);
    const stats = await stat(target).catch(absent);
    if (stats === undefined) return { ok: true, target, text: undefined, isReadOnly: false };
    if (!stats.isFile()) return { ok: false, problem: "is not a file" };
    const text = textOf(await readFile(target));
    const isReadOnly = (stats.mode & 0o222) === 0;
    return text === undefined ? { ok: false, problem: "is not UTF-8 text" } : { ok: true, target, text, isReadOnly };
  } catch (error) {
    return { ok: false, problem: `cannot be read: ${reasonOf(error)}` };
  }
}

/** The end of a sentence about a file that stays as it is. */
export const readOnlyProblem = "is read-only, and is left as it is";

/** Follows symbolic links, also to a file that does not exist yet. */
async function targetOf(path: string): Promise<string> {
  const target = await realpath(path).catch(absent);
  if (target !== undefined) return target;
  const link = await lstat(path).catch(absent);
  return link?.isSymbolicLink() ? targetOf(resolve(dirname(path), await readlink(path))) : path;
}

/** The new text of settings, undefined for no change. It is called again if another process writes meanwhile. */
export type ChangeText = (text: string | undefined) => string | undefined;

/** What was done: the text before, and the folders that were made for a new file, outermost first. */
export interface Replaced {
  readonly before: string | undefined;
  readonly folders: readonly string[];
}

/** Replaces the text of a file at once. It keeps its mode and owner. */
export async function replaceSettings(target: string, change: ChangeText, mode: number): Promise<Replaced> {
  const first = await mkdir(dirname(target), { recursive: true });
  let before: string | undefined;
  await editFile(
    target,
    (content) => {
      before = content === undefined ? undefined : textOf(content);
      return change(before);
    },
    mode,
  );
  return { before, folders: first === undefined ? [] : foldersFrom(first, dirname(target)) };
}

/** Removes a file that Sheepdog has made, with the folders that were made for it if they are empty. */
export async function removeSettings(target: string, folders: readonly string[]): Promise<void> {
  await unlink(target);
  for (const folder of folders.toReversed()) await rmdir(folder).catch(() => {}); // others have files in it
}

function foldersFrom(first: string, last: string): readonly string[] {
  return first === last || dirname(last) === last ? [last] : [...foldersFrom(first, dirname(last)), last];
}

/** The text with its byte order mark, which has to be written again; undefined if it is not UTF-8. */
function textOf(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Maps "does not exist" to undefined; rethrows every other error. */
function absent(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
