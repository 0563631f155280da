import { matchesText } from "../files/file-pattern.ts";

/** `*` stands for any characters, `?` for one. The glob matches the whole text. */
export function matchesGlob(glob: string, text: string): boolean {
  return matchesText(glob.replaceAll("\\", "\\\\"), text);
}

/** The same for a path: `*` and `?` stay within one folder, and a component `**` stands for any folders. */
export function matchesPathGlob(glob: string, path: string): boolean {
  const globs = glob.split("/");
  const last = globs.length - 1;
  let positions: ReadonlySet<number> = new Set([0]);
  for (const name of path.split("/")) {
    const next = new Set<number>();
    for (const position of withoutFolders(globs, positions)) {
      if (globs[position] === "**") next.add(position);
      else if (matchesGlob(globs[position] ?? "", name) && position <= last) next.add(position + 1);
    }
    positions = next;
  }
  return positions.has(globs.length) || (globs[last] === "**" && positions.has(last));
}

/** `**` may stand for no folder at all, but not at the end: `lib/**` is not about `lib` itself. */
function withoutFolders(globs: readonly string[], positions: ReadonlySet<number>): ReadonlySet<number> {
  const all = new Set(positions);
  for (const position of all) if (globs[position] === "**" && position < globs.length - 1) all.add(position + 1);
  return all;
}

/** The folder that everything the glob matches is in: the components in front of the first wildcard. */
export function folderOfGlob(glob: string): string {
  const components = glob.split("/");
  const wildcard = components.findIndex((component) => /[*?]/.test(component));
  return (wildcard < 0 ? components : components.slice(0, wildcard)).join("/");
}
