import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "@sheepdog/records";

/** Files that only their owner can read or write. Each appears complete or not at all. */

/** Makes a folder of the home. Throws if it cannot be the user's own. */
export function makePrivateFolder(home: string, ...names: readonly string[]): string {
  let folder = home;
  for (const name of names) {
    folder = join(folder, name);
    makeFolder(folder);
    const stats = lstatSync(folder);
    if (!stats.isDirectory() || stats.uid !== (process.getuid?.() ?? stats.uid))
      throw new Error(`Expected ${folder} to be a folder of this user.`);
    if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  }
  return folder;
}

/** Writes a value, in place of an earlier one. */
export function writePrivateFile(path: string, value: unknown): void {
  const draft = draftOf(path);
  try {
    writeFileSync(draft, `${JSON.stringify(value)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Writes a value unless the file exists. Returns false if it does: of several writers, one succeeds. */
export function createPrivateFile(path: string, value: unknown): boolean {
  const draft = draftOf(path);
  writeFileSync(draft, `${JSON.stringify(value)}\n`, { mode: 0o600, flag: "wx" });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

const maxBytes = 200_000;

/** The value in a file; undefined if there is none, or it is not a file of this user. */
export function readPrivateFile(path: string): unknown {
  try {
    const stats = lstatSync(path);
    const isOwn = stats.uid === (process.getuid?.() ?? stats.uid);
    return stats.isFile() && isOwn && stats.size <= maxBytes ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  } catch {
    return undefined; // it was removed meanwhile, or is damaged
  }
}

/** The names of the files in a folder that end with `.json`, sorted. */
export function jsonFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json") && !name.startsWith("."))
      .sort();
  } catch {
    return []; // there is no such folder yet
  }
}

function draftOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}`);
}
