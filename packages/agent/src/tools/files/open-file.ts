import { constants, type FileHandle, open, readlink, realpath, stat } from "node:fs/promises";
import { isInside } from "../../protocol/is-inside.ts";
import { outsideWorkspace, resolvePath } from "../paths.ts";
import { printableName } from "../printable-name.ts";
import { describeFileError, errorCode } from "./file-error.ts";
import { versionOf } from "./read-registry.ts";

/** A regular file open for reading, with its real path and version. The caller closes it. */
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

/** Opening a pipe without a writer, or a terminal, does not block. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Opens a regular file and nothing else. Checks its location again once it is open, so that a link planted in between
 * has no effect.
 */
export async function openFile(
  workspace: string,
  path: string,
  { mustBeInside }: { readonly mustBeInside: boolean },
): Promise<OpenFileResult> {
  const resolved = await resolvePath(workspace, path);
  if (!resolved.ok) return resolved;
  if (mustBeInside && !resolved.isInside) return { ok: false, problem: outsideWorkspace(path) };
  const name = printableName(path);
  if (isOfSystem(resolved.path))
    return { ok: false, problem: `${name} belongs to the running system and may contain secrets: it is not read.` };
  let handle: FileHandle | undefined;
  try {
    const entry = await stat(resolved.path); // checked first: opening a device may have effects
    if (!entry.isFile()) return { ok: false, problem: `${name} is ${describeKind(entry)}` };
    handle = await open(resolved.path, flags);
    const stats = await handle.stat({ bigint: true });
    const openedPath = await pathOf(handle, resolved.path);
    const isSame =
      stats.isFile() && (!mustBeInside || isInside(resolved.workspace, openedPath)) && !isOfSystem(openedPath);
    if (isSame)
      return {
        ok: true,
        handle,
        path: openedPath,
        workspace: resolved.workspace,
        size: Number(stats.size),
        version: versionOf(stats),
      };
    await handle.close();
    return { ok: false, problem: `${name} was replaced by something else while it was opened.` };
  } catch (error) {
    await handle?.close();
    return { ok: false, problem: `${name}: ${describeFileError(error)}.`, isMissing: errorCode(error) === "ENOENT" };
  }
}

/** The real path of an open file. */
async function pathOf(handle: FileHandle, path: string): Promise<string> {
  const linked =
    process.platform === "linux" ? await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined) : undefined;
  return linked ?? realpath(path);
}

/** `/proc/<pid>/…` exposes environments and memory; reading the kernel log consumes it. */
function isOfSystem(path: string): boolean {
  return /^\/proc\/(?:\d+|self|thread-self|kmsg|kcore)(?:\/|$)/.test(path);
}

function describeKind(stats: { isDirectory(): boolean; isFIFO(): boolean; isSocket(): boolean }): string {
  if (stats.isDirectory()) return "a folder, not a file: use glob to list it.";
  if (stats.isFIFO()) return "a named pipe, not a file: it is not read.";
  if (stats.isSocket()) return "a socket, not a file: it is not read.";
  return "a device, not a file: it is not read.";
}
