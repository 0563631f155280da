import { accessSync, chmodSync, constants, lstatSync, type Stats, statfsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { makeFolder } from "@sheepdog/records";
import { keepShape } from "../../async/keep-shape.ts";
import type { Presence } from "./connection.ts";
import { DamagedDatabaseError, DatabaseError } from "./errors.ts";

/** A database consists of pages, none of which is smaller. */
const smallestPage = 512;

/** Makes the folder of a database where there is none, and says whether there is a database; throws where one cannot be had at the path. */
export function prepareDatabasePath(path: string): "new" | "there" {
  const folder = dirname(path);
  const refuse = (sentence: string, cause?: unknown) => {
    throw new DatabaseError(`The database ${path} cannot be used: ${sentence}.`, "SQLITE_CANTOPEN", { cause });
  };
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    refuse(`its folder cannot be made or written to (${error instanceof Error ? error.message : error})`, error);
  }
  const network = networkOf(folder);
  if (network !== undefined)
    refuse(`it lies on a network file system (${network}), where its log cannot be shared safely`);
  const found = lookAt(path);
  if (found === undefined) return "new";
  if (found.isSymbolicLink()) refuse("it is a symbolic link");
  if (!found.isFile()) refuse("it is no file");
  if (found.size % smallestPage !== 0) throw new DamagedDatabaseError(path, "its size is that of no database"); // perhaps somebody else's file: it is left as it is
  for (const end of ["", "-wal", "-shm"]) closeToOthers(path + end, refuse);
  if (found.size === 0) throw new DamagedDatabaseError(path, "the file is empty");
  return "there";
}

/** Throws once the path leads to another file than it does now, or to none: what is written then would be lost. */
export function presenceOf(path: string): Presence {
  return new FileAtPath(path);
}

class FileAtPath implements Presence {
  private readonly path: string;
  private readonly inode: number | undefined;

  constructor(path: string) {
    this.path = path;
    this.inode = lookAt(path)?.ino;
  }

  check(): void {
    const { path, inode } = this;
    if (lookAt(path)?.ino !== inode)
      throw new DatabaseError(
        `The database ${path} was removed or replaced while it was used.`,
        "SQLITE_READONLY_DBMOVED",
      );
  }
}

/** Of what is found in a file system: from the first time on that something is, since a module does not look around while it is loaded. */
let isShapeKept = false;

function lookAt(path: string): Stats | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !isShapeKept) keepShape(found);
    isShapeKept ||= found !== undefined;
    return found;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined; // its folder is a file by now
    throw error;
  }
}

function closeToOthers(path: string, refuse: (sentence: string, cause: unknown) => void): void {
  try {
    const found = lookAt(path);
    if (found?.isFile() && (found.mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch (error) {
    refuse(`others may read ${basename(path)}, and that cannot be changed`, error);
  }
}

/** File systems that machines share, by the numbers Linux gives them. */
const networks: Readonly<Record<number, string>> = {
  26985: "NFS",
  4266872130: "SMB",
  4283649346: "SMB",
  1397113167: "AFS",
  12805120: "Ceph",
  198183888: "Lustre",
};

function networkOf(folder: string): string | undefined {
  return process.platform === "linux" ? networks[statfsSync(folder).type] : undefined;
}

keepShape(new FileAtPath(""));
