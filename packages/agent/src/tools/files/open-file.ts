import { constants, type FileHandle, open, readlink, realpath, stat } from "node:fs/promises";
import { isInside, outsideWorkspace, resolvePath } from "../paths.ts";
import { printableName } from "../printable-name.ts";
import { describeFileError, errorCode } from "./file-error.ts";
import { versionOf } from "./read-registry.ts";

/** A regular file that is open for reading, with its real path and the version it is in. The caller closes it. */
export type OpenFileResult =
  | {
      readonly ok: true;
      readonly handle: FileHandle;
      readonly path: string;
      readonly workspace: string;
      readonly size: number;
      readonly version: string;
    }
  | { readonly ok: false; readonly problem: string; readonly isMissing?: boolean };

/** Neither a pipe without a writer nor a terminal can hold this up. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Opens a regular file and nothing else. Where it lies is looked at once more when it is open, so that a link planted meanwhile gains nothing. */
export async function openFile(
  workspace: string,
  asked: string,
  must: { readonly beInside: boolean },
): Promise<OpenFileResult> {
  const resolved = await resolvePath(workspace, asked);
  if (!resolved.ok) return resolved;
  if (must.beInside && !resolved.isInside) return { ok: false, problem: outsideWorkspace(asked) };
  const shown = printableName(asked);
  if (isOfSystem(resolved.path))
    return { ok: false, problem: `${shown} belongs to the running system and may hold secrets: it is not read.` };
  let handle: FileHandle | undefined;
  try {
    const before = await stat(resolved.path); // a device is not even opened
    if (!before.isFile()) return { ok: false, problem: `${shown} is ${kindOf(before)}` };
    handle = await open(resolved.path, flags);
    const stats = await handle.stat({ bigint: true });
    const path = await pathOf(handle, resolved.path);
    const isOther = !stats.isFile() || (must.beInside && !isInside(resolved.workspace, path)) || isOfSystem(path);
    if (!isOther)
      return {
        ok: true,
        handle,
        path,
        workspace: resolved.workspace,
        size: Number(stats.size),
        version: versionOf(stats),
      };
    await handle.close();
    return { ok: false, problem: `${shown} was replaced by something else while it was opened.` };
  } catch (error) {
    await handle?.close();
    return { ok: false, problem: `${shown}: ${describeFileError(error)}.`, isMissing: errorCode(error) === "ENOENT" };
  }
}

/** Where an open file really is. */
async function pathOf(handle: FileHandle, path: string): Promise<string> {
  const linked =
    process.platform === "linux" ? await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined) : undefined;
  return linked ?? realpath(path);
}

/** `/proc/<pid>/…` holds environments and memory; reading the kernel's log takes lines out of it. */
function isOfSystem(path: string): boolean {
  return /^\/proc\/(?:\d+|self|thread-self|kmsg|kcore)(?:\/|$)/.test(path);
}

function kindOf(stats: { isDirectory(): boolean; isFIFO(): boolean; isSocket(): boolean }): string {
  if (stats.isDirectory()) return "a folder, not a file: use glob to see what is in it.";
  if (stats.isFIFO()) return "a named pipe, not a file: it is not read.";
  if (stats.isSocket()) return "a socket, not a file: it is not read.";
  return "a device, not a file: it is not read.";
}
