import { relative, sep } from "node:path";

/** Whether an absolute path is a folder or below it. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`);
}
