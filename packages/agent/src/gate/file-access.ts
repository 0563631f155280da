import type { PathUse } from "./gate.ts";
import { locatePath, type PathLocation } from "./path-location.ts";
import { beyond, editing, printable, type Risk, reading, unclear } from "./risk.ts";
import type { ShellArg } from "./shell-arg.ts";

/** The folders that the paths of a command are resolved against. */
export interface FileScope {
  readonly workspace: string;
  /** The folders the command may run in: more than one when an earlier `cd` may have failed. */
  readonly folders: readonly string[];
}

/** The risk of reading the files that an argument names. */
export function readRisk(scope: FileScope, arg: ShellArg): Risk {
  if (arg.type === "dynamic") return unclear(`What ${printable(arg.value)} names is known only when it runs.`);
  if (arg.type === "home") return beyond(`Reads ${printable(arg.value)}, which is outside the workspace.`);
  if (arg.type === "glob") {
    const { folder, rest } = splitAtFolder(arg);
    if (/(?:^|\/)\.\.(?:\/|$)/.test(rest))
      return unclear(`Where ${printable(arg.value)} leads is known only when it runs.`);
    return readRisk(scope, { type: "plain", value: folder });
  }
  if (arg.value === "-" || arg.value === "" || devices.has(arg.value)) return reading;
  const leadsTo = locations(scope, arg.value);
  const paths = pathUses(arg.value, "read", leadsTo);
  return leadsTo.includes("outside")
    ? { ...beyond(`Reads ${printable(arg.value)}, which is outside the workspace.`), paths }
    : { ...reading, paths };
}

/** The risk of writing or removing the files that an argument names. */
export function writeRisk(scope: FileScope, arg: ShellArg): Risk {
  if (arg.type === "dynamic") return unclear(`Which file ${printable(arg.value)} writes is known only when it runs.`);
  if (arg.type === "home") return beyond(`Writes to ${printable(arg.value)}, which is outside the workspace.`);
  if (arg.type === "glob") {
    const { folder, rest } = splitAtFolder(arg);
    if (rest.includes("/")) return unclear(`Where ${printable(arg.value)} leads is known only when it runs.`);
    if (rest.startsWith(".")) return unclear(`${printable(arg.value)} may name the .git folder.`);
    if (/^[*?[]/.test(rest) && locations(scope, folder).includes("root"))
      return unclear(`Changes everything at the top of the workspace (${printable(arg.value)}).`);
    return writeRisk(scope, { type: "plain", value: `${folder}/x` });
  }
  if (devices.has(arg.value)) return reading;
  const leadsTo = locations(scope, arg.value);
  return { ...locatedWriteRisk(arg.value, leadsTo), paths: pathUses(arg.value, "write", leadsTo) };
}

function locatedWriteRisk(path: string, leadsTo: readonly PathLocation[]): Risk {
  if (leadsTo.includes("outside"))
    return { ...beyond(`Writes to ${printable(path)}, which is outside the workspace.`), isOutside: true };
  if (leadsTo.includes("git")) return beyond(`Changes ${printable(path)}, which decides what git does.`);
  if (leadsTo.includes("sheepdog")) return beyond(`Changes ${printable(path)}, which holds the limits of agents.`);
  if (leadsTo.includes("root")) return unclear("Changes the workspace as a whole.");
  return editing;
}

function pathUses(path: string, access: PathUse["access"], leadsTo: readonly PathLocation[]): readonly PathUse[] {
  return [...new Set(leadsTo)].map((location) => ({ path, access, location }));
}

/** The risk of reading the paths inside an option such as `--file=/x` or `-f../x`. */
export function optionRisk(scope: FileScope, option: string): Risk {
  const assigned = /^--?[\w-]*=(.*)$/s.exec(option)?.[1];
  const pathStart = option.search(/\/|\.\.|~/);
  const attached = pathStart < 0 ? undefined : option.slice(pathStart);
  const value = assigned ?? attached;
  if (value === undefined) return reading;
  return readRisk(scope, { type: value.startsWith("~") ? "home" : "plain", value });
}

const devices: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"]);

function locations({ workspace, folders }: FileScope, path: string): readonly PathLocation[] {
  return folders.map((folder) => locatePath(workspace, folder, path));
}

/** The folder in front of the first component with a wildcard, and the rest. */
function splitAtFolder({ value, prefix }: Extract<ShellArg, { type: "glob" }>): {
  readonly folder: string;
  readonly rest: string;
} {
  const end = prefix.lastIndexOf("/") + 1;
  return { folder: end === 1 ? "/" : prefix.slice(0, Math.max(0, end - 1)) || ".", rest: value.slice(end) };
}
