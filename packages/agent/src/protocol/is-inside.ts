import { isAbsolute, relative, sep } from "node:path";

/** Whether a path is the folder or below it: `/work-evil` is not inside `/work`. Links are not followed. */
export function isInside(folder: string, path: string): boolean {
  const fromFolder = relative(folder, path);
  return fromFolder === "" || !(isAbsolute(fromFolder) || fromFolder === ".." || fromFolder.startsWith(`..${sep}`));
}
