import { resolve, sep } from "node:path";

/** Where relative paths begin. */
export interface BasePaths {
  readonly cwd: string;
  readonly homeFolder: string;
}

/**
 * Whether the folder in which an agent worked is meant by a text: a path (`.`, `./api`, `~/api`, `/srv/api`) is this
 * folder with all below it, and any other text is a part of the path. A run without a folder is never meant.
 */
export function projectFilter(text: string, { cwd, homeFolder }: BasePaths): (folder: string | null) => boolean {
  const wanted = text.trim();
  if (!/^(?:\/|\.{1,2}(?:\/|$)|~(?:\/|$))/.test(wanted)) {
    const part = wanted.toLowerCase();
    return (folder) => folder?.toLowerCase().includes(part) ?? false;
  }
  const root = resolve(cwd, wanted.replace(/^~(?=\/|$)/, homeFolder));
  const inside = root.endsWith(sep) ? root : `${root}${sep}`;
  return (folder) => folder !== null && (folder === root || folder.startsWith(inside));
}
