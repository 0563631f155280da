import type { Source } from "./source.ts";

/** The commands that clone the repository of a source. The files are read from git, so no work tree is needed. */
export function cloneCommands(source: Source): readonly string[] {
  const folder = source.repository.replace("/", "+");
  const clone = `git clone --no-checkout https://github.com/${source.repository} ${folder}`;
  return [clone, ...fetchCommands(source, folder)];
}

/** The commands that fetch what `git clone` does not: the pull requests that have runs. */
export function fetchCommands(source: Source, cloneFolder: string): readonly string[] {
  const refs = source.furtherRefs ?? [];
  return refs.map((ref) => `git -C ${cloneFolder} fetch origin ${ref}:${ref}`);
}
