import { basename, resolve } from "node:path";
import type { ShellArg } from "../command/shell-arg.ts";
import type { PathUse } from "../gate.ts";
import { beyond, editing, highestRisk, printable, type Risk, reading, unclear } from "../risk/risk.ts";
import { matchingPaths } from "./file-pattern.ts";
import type { FileAccess, FileScope } from "./file-scope.ts";
import { isHardLinked } from "./folder-walk.ts";
import { type LocatedPath, locatePath, maxPathLength, physicalPath } from "./path-location.ts";
import { followInScope, protectedReadRisk } from "./protected-folders.ts";

/** The risk of using the files that an argument names, other than files that a search finds. */
export function namedFileRisk(scope: FileScope, arg: Exclude<ShellArg, { type: "found" }>, access: FileAccess): Risk {
  switch (arg.type) {
    case "dynamic":
      return unclear(`Which file ${printable(arg.value)} names is known only when it runs.`, "dynamic path");
    case "home":
      return outsideRisk(arg.value, access);
    case "glob":
      return globRisk(scope, arg, access);
    case "plain":
      return pathRisk(scope, arg.value, access);
    default:
      return arg satisfies never;
  }
}

const verbs = { read: "Reads", write: "Writes to", remove: "Removes" } as const satisfies Record<FileAccess, string>;

function outsideRisk(path: string, access: FileAccess): Risk {
  if (access === "write" && path.startsWith("/dev/"))
    return unclear(`Writes to the device ${printable(path)}.`, "system change");
  const isNamedOutside = /^[~/]|(?:^|\/)\.\.(?:\/|$)/.test(path);
  const where = isNamedOutside ? "which is outside the workspace" : "a link that leads out of the workspace";
  return beyond(`${verbs[access]} ${printable(path)}, ${where}.`, "path outside the workspace");
}

/** The risk of using one path. */
function pathRisk(scope: FileScope, path: string, access: FileAccess): Risk {
  if (devices.has(path) || (access === "read" && (path === "-" || path === "" || path === "/dev/fd/63")))
    return reading;
  if (path.length > maxPathLength) return unclear("Has a name that is too long for a file.", "too complex");
  const followed = scope.folders.map((folder) => followInScope(scope, folder, path));
  const use = access === "read" ? "read" : "write";
  const paths = followed.map(({ shown, location }): PathUse => ({ path: shown, access: use, location }));
  const changeRisk = changedRisk(scope, path);
  const risk = access === "read" ? locatedReadRisk(path, followed) : locatedWriteRisk(path, access, followed);
  if (access !== "read" && basename(path) === "HEAD") scope.changes?.recordRepository();
  if (access !== "read" && (!/^[\w./@%+=:,-]*$/.test(path) || /(?:^|\/)-/.test(path))) scope.changes?.recordOddName();
  return { ...highestRisk(changeRisk === undefined ? [risk] : [risk, changeRisk]), paths };
}

function locatedReadRisk(path: string, followed: readonly LocatedPath[]): Risk {
  const leadsTo = followed.map(({ location }) => location);
  if (leadsTo.includes("outside")) return outsideRisk(path, "read");
  if (leadsTo.includes("sheepdog")) return protectedReadRisk(path);
  return reading;
}

function locatedWriteRisk(path: string, access: FileAccess, followed: readonly LocatedPath[]): Risk {
  const leadsTo = followed.map(({ location }) => location);
  const change = access === "remove" ? "Removes" : "Changes";
  if (leadsTo.includes("outside")) return { ...outsideRisk(path, access), isOutside: true };
  if (leadsTo.includes("git"))
    return beyond(`${change} ${printable(path)}, which decides what git does.`, "protected folder");
  if (leadsTo.includes("sheepdog"))
    return beyond(`${change} ${printable(path)}, which holds the limits of agents.`, "protected folder");
  if (leadsTo.includes("root"))
    return unclear(
      "Changes the workspace as a whole.",
      access === "remove" ? "recursive delete" : "overwrite everything",
    );
  if (access === "write" && followed.some(({ real }) => isHardLinked(real ?? "")))
    return beyond(`${printable(path)} is a hard link: the same file has other names.`, "hard link");
  return editing;
}

/** A path that an earlier command of the same line may have replaced by a link. */
function changedRisk({ folders, changes }: FileScope, path: string): Risk | undefined {
  if (changes?.hasAny !== true || /^(?:\.\/?)*$/.test(path)) return undefined;
  const isChanged =
    /(?:^|\/)\.\.(?:\/|$)/.test(path) ||
    folders.some((folder) => [resolve(folder, path), physicalPath(folder, path) ?? ""].some(changes.mayBeLink));
  return isChanged
    ? unclear(
        `${printable(path)} may lead through a link that an earlier command of the line makes.`,
        "link made by the same line",
      )
    : undefined;
}

function globRisk(scope: FileScope, arg: Extract<ShellArg, { type: "glob" }>, access: FileAccess): Risk {
  const { folder, rest } = splitAtFolder(arg.pattern);
  if (/(?:^|\/)\.\.(?:\/|$)/.test(rest) || /(?:^|\/)\.\.?[*?]/.test(rest))
    return unclear(`Where ${printable(arg.value)} leads is known only when it runs.`, "dynamic path");
  const folderRisk = pathRisk(scope, folder, "read");
  if (folderRisk.tier > 0) return folderRisk;
  const newLinks = scope.changes?.hasAny === true;
  if (newLinks)
    return unclear(
      `${printable(arg.value)} may find a link that an earlier command of the line makes.`,
      "link made by the same line",
    );
  const risks = [pathRisk(scope, folder === "." ? "x" : `${folder}/x`, access)];
  for (const from of scope.folders) {
    const base = physicalPath(from, folder);
    const matches = base === undefined ? undefined : matchingPaths(base, rest);
    if (base === undefined || matches === undefined)
      return unclear(`${printable(arg.value)} finds too many files to be checked.`, "search too large");
    if (access !== "read" && coversFolder(scope, base, rest, matches))
      return unclear(
        `Changes everything at the top of the workspace (${printable(arg.value)}).`,
        access === "remove" ? "recursive delete" : "overwrite everything",
      );
    risks.push(...matches.map((match) => matchRisk(scope, `${base}/${match}`, access)));
  }
  return highestRisk(risks);
}

/** A link that a pattern finds gets a reason of its own: the command line does not show it. */
function matchRisk(scope: FileScope, path: string, access: FileAccess): Risk {
  const risk = pathRisk(scope, path, access);
  if (risk.tier < 3 || locatePath(scope.workspace, "/", path) !== "outside") return risk;
  return {
    ...risk,
    ...beyond(`${printable(path)} is a link that leads out of the workspace.`, "link out of the workspace"),
  };
}

/** Whether a pattern takes in most of the workspace: `*`, or whatever finds at least half of many entries. */
function coversFolder({ workspace }: FileScope, base: string, rest: string, matches: readonly string[]): boolean {
  if (locatePath(workspace, "/", base) !== "root") return false;
  const first = rest.split("/")[0] ?? "";
  if (/^[*?]+(?:\.[*?]+)?$/.test(first)) return true;
  const all = matchingPaths(base, "*") ?? [];
  return matches.length >= 8 && matches.length * 2 > all.length;
}

const devices: ReadonlySet<string> = new Set([
  ...["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/zero", "/dev/urandom", "/dev/random"],
]);

/** The folder in front of the first component with a wildcard, as a path, and the rest as a pattern. */
function splitAtFolder(pattern: string): { readonly folder: string; readonly rest: string } {
  const literal = /^(?:\\[\s\S]|[^*?\\])*/.exec(pattern)?.[0] ?? "";
  const end = literal.lastIndexOf("/") + 1;
  const folder = literal.slice(0, Math.max(0, end - 1)).replace(/\\([\s\S])/g, "$1");
  return { folder: end === 1 ? "/" : folder || ".", rest: pattern.slice(end) };
}
