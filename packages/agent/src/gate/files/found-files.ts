import { basename, dirname, join, relative } from "node:path";
import type { FoundArg, ShellArg } from "../command/shell-arg.ts";
import type { PathUse } from "../gate.ts";
import { beyond, editing, highestRisk, printable, type Risk, reading, unclear } from "../risk/risk.ts";
import { matchesText, matchingPaths } from "./file-pattern.ts";
import type { FileAccess, FileScope } from "./file-scope.ts";
import { entriesBelow, isHardLinked, maxEntries, type WalkedEntry, type WalkOptions } from "./folder-walk.ts";
import type { LineChanges } from "./line-changes.ts";
import { isFolder, locatePath, type PathLocation, physicalPath } from "./path-location.ts";
import { namedFileRisk } from "./path-risk.ts";
import { followInScope, protectedReadRisk } from "./protected-folders.ts";
import { wipeRisk } from "./wipe-risk.ts";

const maxEntriesOfLine = 60_000;
/** How many entries the searches of a line may still look at: all its commands have the same record of changes. */
const entriesLeft = new WeakMap<LineChanges, number>();

/** The risk of using every file that a search finds: the folders are walked, within limits. */
export function foundRisk(scope: FileScope, found: FoundArg, access: FileAccess): Risk {
  const operandRisk = operandsRisk(scope, found.below);
  if (operandRisk.tier > 0) return operandRisk;
  const paths = (operandRisk.paths ?? []).map(
    (use): PathUse => ({ ...use, access: access === "read" ? "read" : "write" }),
  );
  return { paths, ...entriesRisk(scope, found, access) };
}

function entriesRisk(scope: FileScope, found: FoundArg, access: FileAccess): Risk {
  if (scope.changes?.hasAny === true || (scope.changes?.hasOddNames === true && found.separator !== "none"))
    return unclear("Earlier commands of the line may change what the search finds.", "link made by the same line");
  if (access === "read" && found.hasOnlyFiles && found.separator === "none") return reading;
  const names = found.names?.some((name) => /^[*?]+(?:\.[*?]+)?$/.test(name)) === true ? undefined : found.names;
  const entries = entriesOf(scope, found.below, {
    excludes: found.excludes ?? [],
    keepsExcluded: found.findsExcluded === true,
    isFlat: found.isFlat === true,
  });
  if (entries === undefined) return tooLarge(found.value);
  if (access === "remove" && found.isSelected === true && names === undefined)
    return unclear("Removes whatever a search finds by its content.", "recursive delete");
  if (access !== "read" && names === undefined && found.isSelected !== true && hasRoot(entries))
    return wholeWorkspace(access);
  if (access === "remove" && names === undefined) {
    const root = physicalPath(scope.workspace, ".") ?? scope.workspace;
    for (const { path } of entries) if (dirname(path) === root) scope.changes?.recordRemoval(path);
    const risk = wipeRisk(scope);
    if (risk !== undefined) return risk;
  }
  const isWanted = (name: string): boolean => names?.some((pattern) => matchesText(pattern, name)) ?? true;
  const wanted = entries.filter(({ name }) => isWanted(name));
  const risks = wanted.flatMap((entry) => entryRisk(scope, { entry, found, access }) ?? []);
  const oddName = oddNameOf(scope, found, access === "read" ? wanted.filter(isSplitBadly(scope, found)) : wanted);
  if (oddName !== undefined)
    risks.push(unclear(`The name ${printable(oddName)} would be read as something else.`, "command from arguments"));
  return highestRisk(risks, access === "read" ? reading : editing);
}

function operandsRisk(scope: FileScope, operands: readonly ShellArg[]): Risk {
  return highestRisk(
    operands.map((arg) => (arg.type === "found" ? tooLarge(arg.value) : namedFileRisk(scope, arg, "read"))),
  );
}

/** A name, of a file or of a folder on the way to it, that does not arrive as it is. */
function oddNameOf({ workspace }: FileScope, found: FoundArg, entries: readonly WalkedEntry[]): string | undefined {
  const separator = separators[found.separator];
  const root = physicalPath(workspace, ".") ?? workspace;
  const operand = found.below.find(({ type, value }) => type === "plain" && separator.test(value));
  const names = entries.flatMap(({ path }) => relative(root, path).split("/"));
  return operand?.value ?? names.find((name) => separator.test(name));
}

/** `a b.md` becomes `a` and `b.md`: reading those is harmless where they lead to files of the workspace. */
function isSplitBadly({ workspace, folders }: FileScope, { separator }: FoundArg): (entry: WalkedEntry) => boolean {
  const root = physicalPath(workspace, ".") ?? workspace;
  const startsAtRoot = folders.every((folder) => folder === root); // the pieces are relative to the current folder
  return ({ path }) => {
    const pieces = relative(root, path).split(" ");
    return (
      separator !== "word" ||
      !startsAtRoot ||
      pieces.some(
        (piece) =>
          !/^[\w.@+][\w./@+-]*$/.test(piece) ||
          folders.some((folder) => locatePath(workspace, folder, piece) === "outside"),
      )
    );
  };
}

const separators = { none: /^-/, line: /^-|[\n\r]/, word: /^-|[\s'"\\*?[]/ } as const;

interface EntryUse {
  readonly entry: WalkedEntry;
  readonly found: FoundArg;
  readonly access: FileAccess;
}

function entryRisk(scope: FileScope, { entry, found, access }: EntryUse): Risk | undefined {
  if (found.hasOnlyFiles && !entry.isFile) return undefined;
  const { path, isLink } = entry;
  const location = locationOf(scope, entry);
  if (location === "outside" && (!isLink || access !== "remove")) return leadsOut(path);
  if (access === "read") return location === "sheepdog" ? protectedReadRisk(path) : undefined;
  if (location === "git" || location === "sheepdog")
    return beyond(`Changes ${printable(path)}, which decides what git or agents do.`, "protected folder");
  if (access === "write" && entry.isFile && isHardLinked(path))
    return beyond(`${printable(path)} is a hard link: the same file has other names.`, "hard link");
  return undefined;
}

/** Where an entry leads, protected folders included. */
function locationOf(scope: FileScope, { path, location }: WalkedEntry): PathLocation {
  const hasOthers = (scope.protectedFolders ?? []).length > 0;
  return hasOthers && location !== "outside" ? followInScope(scope, "/", path).location : location;
}

const hasRoot = (entries: readonly WalkedEntry[]): boolean => entries.some(({ location }) => location === "root");

function wholeWorkspace(access: FileAccess): Risk {
  const pattern = access === "remove" ? "recursive delete" : "overwrite everything";
  return unclear("Changes the workspace as a whole.", pattern);
}

/** The risk of a recursion that follows links: it must not find one that leads out of the workspace. */
export function followingRisk(
  scope: FileScope,
  operands: readonly ShellArg[],
  { onlyFolders = false }: { readonly onlyFolders?: boolean } = {},
): Risk {
  const below: readonly ShellArg[] = operands.length === 0 ? [{ type: "plain", value: "." }] : operands;
  const operandRisk = operandsRisk(scope, below);
  if (operandRisk.tier > 0) return operandRisk;
  if (scope.changes?.hasAny === true)
    return unclear("Follows links that earlier commands of the line may make.", "link made by the same line");
  const entries = entriesOf(scope, below, { isFollowing: true });
  if (entries === undefined) return tooLarge(below.map(({ value }) => value).join(" "));
  const link = entries.find(
    ({ path, isLink, location }) => isLink && location === "outside" && (!onlyFolders || isFolder(path)),
  );
  if (link !== undefined) return leadsOut(link.path);
  const ofSheepdog = entries.find((entry) => entry.isLink && locationOf(scope, entry) === "sheepdog");
  return ofSheepdog === undefined ? reading : protectedReadRisk(ofSheepdog.path);
}

/** The risk of writing to everything below the operands, such as `chmod -R` and `cp -r` to an existing folder. */
export function writeBelowRisk(scope: FileScope, operands: readonly ShellArg[]): Risk {
  const found: FoundArg = {
    type: "found",
    value: operands.map(({ value }) => value).join(" "),
    below: operands,
    hasOnlyFiles: false,
    separator: "none",
  };
  return foundRisk(scope, found, "write");
}

/** Whether there is a link at or below the operands, or they are too large to tell. */
export function mayHoldLinks(scope: FileScope, operands: readonly ShellArg[]): boolean {
  if (scope.changes?.hasAny === true) return true;
  return entriesOf(scope, operands)?.some(({ isLink }) => isLink) ?? true;
}

function entriesOf(
  { workspace, folders, changes }: FileScope,
  operands: readonly ShellArg[],
  options: WalkOptions = {},
): readonly WalkedEntry[] | undefined {
  const root = physicalPath(workspace, ".") ?? workspace;
  const all: WalkedEntry[] = [];
  for (const folder of folders)
    for (const start of new Set(operands.flatMap((arg) => startsOf(folder, arg)))) {
      const left = changes === undefined ? maxEntries : (entriesLeft.get(changes) ?? maxEntriesOfLine);
      const most = Math.min(maxEntries, left);
      const entries = start === undefined || most <= 0 ? undefined : entriesBelow(root, start, { ...options, most });
      if (changes !== undefined) entriesLeft.set(changes, left - (entries?.length ?? most));
      if (entries === undefined) return undefined;
      all.push(...entries);
    }
  return all;
}

/** Where a search starts: at the operand itself, and where it leads if it is a link. */
function startsOf(folder: string, arg: ShellArg): readonly (string | undefined)[] {
  if (arg.type === "plain") return startsOfPath(folder, arg.value);
  const matches = arg.type === "glob" ? matchingPaths(folder, arg.pattern) : undefined;
  return matches?.flatMap((match) => startsOfPath(folder, match)) ?? [undefined];
}

function startsOfPath(folder: string, path: string): readonly (string | undefined)[] {
  const target = physicalPath(folder, path);
  const isName = !/(?:^|\/)\.{0,2}\/*$/.test(path);
  const parent = isName ? physicalPath(folder, dirname(path)) : undefined;
  return parent === undefined ? [target] : [...new Set([join(parent, basename(path)), target])];
}

function leadsOut(path: string): Risk {
  return beyond(`${printable(path)} is a link that leads out of the workspace.`, "link out of the workspace");
}

function tooLarge(what: string): Risk {
  return unclear(`${printable(what)} has too many files to be checked.`, "search too large");
}
