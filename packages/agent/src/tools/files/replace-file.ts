import { randomUUID } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { access, constants, type FileHandle, lstat, open, rename, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { describeFileError, errorCode } from "./file-error.ts";
import { type OpenFolder, openFolder } from "./open-folder.ts";
import { versionOf } from "./read-registry.ts";

/** What came of it: the new version, or why the old file is still there. */
export type ReplaceFileResult =
  | { readonly ok: true; readonly version: string; readonly isNew: boolean }
  | { readonly ok: false; readonly problem: string };

export interface Replacement {
  /** The workspace's real path. */
  readonly root: string;
  /** The file's real path, inside of it. */
  readonly path: string;
  readonly data: Uint8Array;
  /** The version that the change was made from; another one is a conflict. Undefined: whatever is there. */
  readonly expected?: string | undefined;
  readonly signal: AbortSignal;
}

/** Replaces a file in one step: readers see the old or the new one, never a part. Mode and owner stay; missing folders are made. */
export async function replaceFile({ root, path, data, expected, signal }: Replacement): Promise<ReplaceFileResult> {
  let folder: OpenFolder | undefined;
  try {
    folder = await openFolder(root, dirname(path));
    const target = folder.at(basename(path));
    const old = await existing(target);
    const problem = await whyNot(target, old, expected);
    if (problem !== undefined) return { ok: false, problem };
    const version = await swap(folder.at(`.sheepdog-${randomUUID()}.tmp`), { target, data, old, signal });
    return { ok: true, version, isNew: old === undefined };
  } catch (error) {
    return { ok: false, problem: signal.aborted ? "it was interrupted, the file is as it was" : whyRefused(error) };
  } finally {
    await folder?.close();
  }
}

async function existing(target: string): Promise<BigIntStats | undefined> {
  return lstat(target, { bigint: true }).catch((error) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  });
}

async function whyNot(
  target: string,
  old: BigIntStats | undefined,
  expected: string | undefined,
): Promise<string | undefined> {
  if (old === undefined) return undefined; // also where it was removed meanwhile: nothing of anybody's is overwritten
  if (old.isDirectory()) return "it is a folder";
  if (!old.isFile()) return "it is no regular file";
  if (expected !== undefined && versionOf(old) !== expected)
    return "it was changed since it was read: read it again, then make the change";
  return access(target, constants.W_OK).then(
    () => undefined,
    (error) => describeFileError(error),
  );
}

interface Swap {
  readonly target: string;
  readonly data: Uint8Array;
  readonly old: BigIntStats | undefined;
  readonly signal: AbortSignal;
}

async function swap(temporary: string, { target, data, old, signal }: Swap): Promise<string> {
  const handle = await open(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o666,
  );
  try {
    await handle.writeFile(data, { signal });
    if (old !== undefined) await takeOver(handle, old);
    await handle.datasync();
    const version = versionOf(await handle.stat({ bigint: true }));
    signal.throwIfAborted();
    await rename(temporary, target);
    return version;
  } catch (error) {
    await unlink(temporary).catch(() => undefined); // what went wrong before is what matters
    throw error;
  } finally {
    await handle.close();
  }
}

async function takeOver(handle: FileHandle, old: BigIntStats): Promise<void> {
  await handle.chown(Number(old.uid), Number(old.gid)).catch(() => undefined); // only root may give a file away
  await handle.chmod(Number(old.mode) & 0o7777);
}

function whyRefused(error: unknown): string {
  const code = errorCode(error);
  if (code === "ELOOP") return "a folder on the way was replaced by a link";
  return code === "ENOTDIR" ? "a part of the path is no folder" : describeFileError(error);
}
