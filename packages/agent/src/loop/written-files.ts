import { dirname } from "node:path";

/** The files that the agent wrote in this session, as far as they are known. */
export interface WrittenFiles {
  /** The paths are absolute and without links. A folder stands for everything below it. */
  add(paths: readonly string[]): void;
  has(path: string): boolean;
}

/** `earlier`: what earlier runs of the session wrote. */
export function createWrittenFiles(earlier: readonly string[] = []): WrittenFiles {
  const written = new Set(earlier);
  return {
    add(paths) {
      for (const path of paths) written.add(path);
    },
    has: (path) => withParents(path).some((each) => written.has(each)),
  };
}

function withParents(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}
