import { existsSync } from "node:fs";
import { constants, type FileHandle, mkdir, open } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { errorCode } from "./file-error.ts";

/** An open folder: `at(name)` is a path inside it, even after the folder was renamed or replaced. */
export interface OpenFolder {
  at(name: string): string;
  close(): Promise<void>;
}

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const hasDescriptorPaths = process.platform === "linux" && existsSync("/proc/self/fd");

/**
 * Opens a folder below `root` component by component, follows no link, and creates missing folders.
 * Both paths are real paths.
 */
export async function openFolder(root: string, folder: string): Promise<OpenFolder> {
  let handle = await open(root, flags);
  let path = root;
  try {
    for (const name of relative(root, folder).split(sep)) {
      if (name === "") continue;
      const next = join(anchor(handle, path), name);
      const nextHandle = await openOrCreate(next);
      await handle.close();
      handle = nextHandle;
      path = join(path, name);
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  const base = anchor(handle, path);
  return { at: (name) => join(base, name), close: () => handle.close() };
}

async function openOrCreate(path: string): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  await mkdir(path).catch((error) => {
    if (errorCode(error) !== "EEXIST") throw error; // another process created it first
  });
  return open(path, flags);
}

/** On Linux the path of the open descriptor, which no rename can redirect; elsewhere the plain path. */
function anchor(handle: FileHandle, path: string): string {
  return hasDescriptorPaths ? `/proc/self/fd/${handle.fd}` : path;
}
