import { isInside } from "../../protocol/is-inside.ts";
import { programOf, type SimpleCommand } from "../command/simple-command.ts";
import { beyond, printable, type Risk, reading } from "../risk/risk.ts";
import { wordList } from "../risk/word-list.ts";
import type { FileScope } from "./file-scope.ts";
import { followPath, type LocatedPath, physicalPath } from "./path-location.ts";

/**
 * Follows a path. A protected folder counts as one of Sheepdog's own, whatever its name is, unless the workspace lies
 * in it: its other files are then outside the workspace.
 */
export function followInScope(
  { workspace, protectedFolders = [] }: FileScope,
  from: string,
  path: string,
): LocatedPath {
  const followed = followPath(workspace, from, path);
  const { real, location } = followed;
  if (real === undefined || location === "outside") return followed;
  return protectedFolders.some((folder) => isInside(folder, real)) ? { ...followed, location: "sheepdog" } : followed;
}

/** The protected folders, with links followed, as far as they matter in a workspace. */
export function protectedIn(workspace: string, folders: readonly string[]): readonly string[] {
  const root = physicalPath(workspace, ".") ?? workspace;
  return folders.flatMap((folder) => {
    const real = physicalPath("/", folder);
    return real !== undefined && isInside(root, real) ? [real] : [];
  });
}

/** The risk of reading a file of Sheepdog itself. */
export function protectedReadRisk(path: string): Risk {
  return beyond(`Reads ${printable(path)}, which belongs to Sheepdog and may hold its keys.`, "protected folder");
}

/** The risk of reading everything below a path: a protected folder may be there. */
export function holdsProtectedRisk({ folders, protectedFolders = [] }: FileScope, path: string): Risk {
  const starts = folders.flatMap((folder) => physicalPath(folder, path) ?? []);
  const isHeld = protectedFolders.some((folder) => starts.some((start) => isInside(start, folder)));
  return isHeld
    ? beyond(`${printable(path)} contains the folder of Sheepdog, which may hold its keys.`, "protected folder")
    : reading;
}

/** Programs that show the names of what is in a folder, not the content. */
const listing = new Set(
  wordList("ls tree du find fd stat file realpath readlink test [ cd basename dirname mkdir touch"),
);
const searching = new Set(wordList("grep egrep fgrep rg"));

/** The risk of a command that may read everything in the folders that it names, or in the current one. */
export function searchRisk(command: SimpleCommand, scope: FileScope): Risk {
  const program = programOf(command);
  const { risk, words } = command;
  if (risk.tier > 1 || listing.has(program)) return reading;
  const used = (risk.paths ?? []).filter(({ access }) => access === "read").map(({ path }) => path);
  const isEverything = used.length === 0 && searching.has(program) && (program === "rg" || words.some(isRecursive));
  const isIn = (folder: string): boolean => followInScope(scope, folder, ".").location === "sheepdog";
  if (isEverything && scope.folders.some(isIn)) return protectedReadRisk(".");
  const inFolders = isEverything ? [holdsProtectedRisk(scope, ".")] : [];
  const inPaths = used.map((path) => holdsProtectedRisk({ ...scope, folders: [scope.workspace] }, path));
  return [...inFolders, ...inPaths].find(({ tier }) => tier > reading.tier) ?? reading;
}

function isRecursive({ value }: SimpleCommand["words"][number]): boolean {
  return /^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive$|^--directories=recurse$/.test(value);
}
