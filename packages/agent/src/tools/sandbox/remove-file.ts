import { chmodSync, lstatSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Removes a file or a link, and leaves a folder of that name alone. Returns whether it removed one. */
export function removeFile(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) return false;
  openFolder(dirname(path));
  rmSync(path);
  return true;
}

/** Lets the owner list and change a folder: a command can have forbidden it. */
export function openFolder(folder: string): void {
  const { mode } = statSync(folder);
  if ((mode & 0o700) !== 0o700) chmodSync(folder, (mode & 0o777) | 0o700);
}
