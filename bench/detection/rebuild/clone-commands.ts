import type { Source } from "./source.ts";

/** The commands that clone the repository of a source. The files are read from git, so no work tree is needed. */
export function cloneCommands(source: Source): readonly string[] {
  const url = `https://github.com/${source.repository}`;
  return [`git clone --no-checkout ${url} ${folderOf(source)}`, ...fetchCommands(source)];
}

/** The commands that fetch what `git clone` does not: the pull requests that have runs. */
export function fetchCommands(source: Source): readonly string[] {
  const refs = source.furtherRefs ?? [];
  return refs.map((ref) => `git -C ${folderOf(source)} fetch origin ${ref}:${ref}`);
}

function folderOf({ repository }: Source): string {
  return repository.replace("/", "+");
}
