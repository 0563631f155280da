import { randomUUID } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { access, constants, type FileHandle, lstat, open, rename, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { describeFileError, errorCode } from "./file-error.ts";
import { type OpenFolder, openFolder } from "./open-folder.ts";
import { versionOf } from "./read-registry.ts";

/** The new version, or why the old file is unchanged. */
export type ReplaceFileResult =
  | { readonly ok: true; readonly version: string; readonly isNew: boolean }
  | { readonly ok: false; readonly problem: string };

export interface Replacement {
  /** The real path of the workspace. */
  readonly root: string;
  /** The real path of the file, inside the workspace. */
  readonly path: string;
  readonly data: Uint8Array;
  /** The version that the change is based on; any other version is a conflict. Undefined: any version. */
  readonly expectedVersion?: string | undefined;
  readonly signal: AbortSignal;
}

/** Replaces a file atomically. Mode and owner stay the same; missing folders are created. */
export async function replaceFile({
  root,
  path,
  data,
  expectedVersion,
  signal,
}: Replacement): Promise<ReplaceFileResult> {
  let folder: OpenFolder | undefined;
  try {
    folder = await openFolder(root, dirname(path));
    const target = folder.at(basename(path));
    const old = await statIfExists(target);
    const problem = await whyNotReplaceable(target, old, expectedVersion);
    if (problem !== undefined) return { ok: false, problem };
    const version = await writeAndRename(folder.at(`.sheepdog-${randomUUID()}.tmp`), { target, data, old, signal });
    return { ok: true, version, isNew: old === undefined };
  } catch (error) {
    return {
      ok: false,
      problem: signal.aborted ? "it was interrupted, and the file is unchanged" : describeError(error),
    };
  } finally {
    await folder?.close();
  }
}

async function statIfExists(target: string): Promise<BigIntStats | undefined> {
  return lstat(target, { bigint: true }).catch((error) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  });
}

async function whyNotReplaceable(
  target: string,
  old: BigIntStats | undefined,
  expectedVersion: string | undefined,
): Promise<string | undefined> {
  if (old === undefined) return undefined; // also when it was removed since: nothing gets overwritten
  if (old.isDirectory()) return "it is a folder";
  if (!old.isFile()) return "it is not a regular file";
  if (expectedVersion !== undefined && versionOf(old) !== expectedVersion)
    return "it has changed since you read it. Read it again, then make the change";
  return access(target, constants.W_OK).then(
    () => undefined,
    (error) => describeFileError(error),
  );
}

interface FileWrite {
  readonly target: string;
  readonly data: Uint8Array;
  readonly old: BigIntStats | undefined;
  readonly signal: AbortSignal;
}

async function writeAndRename(temporary: string, { target, data, old, signal }: FileWrite): Promise<string> {
  const handle = await open(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o666,
  );
  try {
    await handle.writeFile(data, { signal });
    if (old !== undefined) await copyOwnerAndMode(handle, old);
    await handle.datasync();
    const version = versionOf(await handle.stat({ bigint: true }));
    signal.throwIfAborted();
    await rename(temporary, target);
    return version;
  } catch (error) {
    await unlink(temporary).catch(() => undefined); // the first error is the one to report
    throw error;
  } finally {
    await handle.close();
  }
}

async function copyOwnerAndMode(handle: FileHandle, old: BigIntStats): Promise<void> {
  await handle.chown(Number(old.uid), Number(old.gid)).catch(() => undefined); // only root may give a file away
  await handle.chmod(Number(old.mode) & 0o7777);
}

function describeError(error: unknown): string {
  const code = errorCode(error);
  if (code === "ELOOP") return "a folder in the path was replaced by a link";
  return code === "ENOTDIR" ? "a part of the path is not a folder" : describeFileError(error);
}
