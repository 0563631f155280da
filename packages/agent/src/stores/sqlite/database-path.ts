import { accessSync, chmodSync, constants, lstatSync, type Stats, statfsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { makeFolder } from "@sheepdog/records";
import { DamagedDatabaseError, DatabaseError } from "./errors.ts";

/** The smallest page size of SQLite. The size of a database is a multiple of it. */
const minPageBytes = 512;

/**
 * Creates the folder of a database and checks its path and permissions. Returns whether a database exists there.
 * Throws when the path cannot hold a database.
 */
export function prepareDatabasePath(path: string): "new" | "existing" {
  const folder = dirname(path);
  const refuse = (reason: string, cause?: unknown) => {
    throw new DatabaseError(`The database ${path} cannot be used: ${reason}.`, "SQLITE_CANTOPEN", { cause });
  };
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    refuse(`its folder cannot be created or written to (${error instanceof Error ? error.message : error})`, error);
  }
  const network = networkFileSystem(folder);
  if (network !== undefined)
    refuse(`it is on a network file system (${network}), where its log cannot be shared safely`);
  const stats = statsOf(path);
  if (stats === undefined) return "new";
  if (stats.isSymbolicLink()) refuse("it is a symbolic link");
  if (!stats.isFile()) refuse("it is not a file");
  // Another program's file, perhaps: its permissions stay unchanged.
  if (stats.size % minPageBytes !== 0) throw new DamagedDatabaseError(path, "its size is not that of a database");
  for (const suffix of ["", "-wal", "-shm"]) makePrivate(path + suffix, refuse);
  if (stats.size === 0) throw new DamagedDatabaseError(path, "the file is empty");
  return "existing";
}

/** Returns a check that throws when the path no longer leads to the same file, because writes would then be lost. */
export function createFileCheck(path: string): () => void {
  const inode = statsOf(path)?.ino;
  return () => {
    if (statsOf(path)?.ino !== inode)
      throw new DatabaseError(
        `The database ${path} was removed or replaced while it was used.`,
        "SQLITE_READONLY_DBMOVED",
      );
  };
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined; // its folder is a file
    throw error;
  }
}

function makePrivate(path: string, refuse: (reason: string, cause: unknown) => void): void {
  try {
    const stats = statsOf(path);
    if (stats?.isFile() && (stats.mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch (error) {
    refuse(`other users can read ${basename(path)}, and its permissions cannot be changed`, error);
  }
}

/** Network file systems by their magic numbers on Linux. */
const networkFileSystems: Readonly<Record<number, string>> = {
  26985: "NFS",
  4266872130: "SMB",
  4283649346: "SMB",
  1397113167: "AFS",
  12805120: "Ceph",
  198183888: "Lustre",
};

function networkFileSystem(folder: string): string | undefined {
  return process.platform === "linux" ? networkFileSystems[statfsSync(folder).type] : undefined;
}
