import { isAbsolute, relative, sep } from "node:path";

/** Whether a path is the folder or inside it, by their text. */
export function contains(folder: string, path: string): boolean {
  const fromFolder = relative(folder, path);
  return fromFolder === "" || (fromFolder !== ".." && !fromFolder.startsWith(`..${sep}`) && !isAbsolute(fromFolder));
}
