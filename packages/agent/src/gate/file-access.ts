import { locatePath, type PathLocation } from "./path-location.ts";
import { beyond, editing, highestRisk, printable, type Risk, reading, unclear } from "./risk.ts";
import type { ShellArg } from "./shell-arg.ts";

/** What a command may be asked about the files it names. */
export interface FileScope {
  readonly workspace: string;
  /** The folders the command may be run in: more than one where a `cd` before it may have failed. */
  readonly folders: readonly string[];
}

/** What reading what an argument names means. */
export function readRisk(sight: FileScope, arg: ShellArg): Risk {
  if (arg.type === "open") return unclear(`What ${printable(arg.value)} names is known only when it runs.`);
  if (arg.type === "home") return beyond(`Reads ${printable(arg.value)}, which is outside the workspace.`);
  if (arg.type === "glob") {
    const { folder, rest } = split(arg);
    if (/(?:^|\/)\.\.(?:\/|$)/.test(rest))
      return unclear(`Where ${printable(arg.value)} leads is known only when it runs.`);
    return readRisk(sight, { type: "plain", value: folder });
  }
  if (arg.value === "-" || arg.value === "" || devices.has(arg.value)) return reading;
  return lies(sight, arg.value).includes("outside")
    ? beyond(`Reads ${printable(arg.value)}, which is outside the workspace.`)
    : reading;
}

/** What writing to, or removing, what an argument names means. */
export function writeRisk(sight: FileScope, arg: ShellArg): Risk {
  if (arg.type === "open")
    return unclear(`What ${printable(arg.value)} names, to be written, is known only when it runs.`);
  if (arg.type === "home") return beyond(`Writes to ${printable(arg.value)}, which is outside the workspace.`);
  if (arg.type === "glob") {
    const { folder, rest } = split(arg);
    if (rest.includes("/")) return unclear(`Where ${printable(arg.value)} leads is known only when it runs.`);
    if (rest.startsWith("."))
      return unclear(`${printable(arg.value)} may name the folder that git keeps its books in.`);
    if (/^[*?[]/.test(rest) && lies(sight, folder).includes("root"))
      return unclear(`Changes whatever lies at the top of the workspace (${printable(arg.value)}).`);
    return writeRisk(sight, { type: "plain", value: `${folder}/x` });
  }
  if (devices.has(arg.value)) return reading;
  const places = lies(sight, arg.value);
  if (places.includes("outside"))
    return { ...beyond(`Writes to ${printable(arg.value)}, which is outside the workspace.`), isOutside: true };
  if (places.includes("git")) return beyond(`Changes ${printable(arg.value)}, which decides what git does.`);
  if (places.includes("own")) return beyond(`Changes ${printable(arg.value)}, which decides what agents are held to.`);
  if (places.includes("root")) return unclear("Changes the workspace as a whole.");
  return editing;
}

/** What the paths mean that stand in an option such as `--file=/x` or `-f../x`. */
export function optionRisk(sight: FileScope, option: string): Risk {
  const given = /^--?[\w-]*=(.*)$/s.exec(option)?.[1];
  const from = option.search(/\/|\.\.|~/);
  const values = [
    ...(given === undefined ? [] : [given]),
    ...(from < 0 || given !== undefined ? [] : [option.slice(from)]),
  ];
  return highestRisk(values.map((value) => readRisk(sight, { type: value.startsWith("~") ? "home" : "plain", value })));
}

const devices: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"]);

function lies({ workspace, folders }: FileScope, path: string): readonly PathLocation[] {
  return folders.map((folder) => locatePath(workspace, folder, path));
}

/** The folder in front of the first name that is not known, and the rest. */
function split({ value, prefix }: Extract<ShellArg, { type: "glob" }>): {
  readonly folder: string;
  readonly rest: string;
} {
  const end = prefix.lastIndexOf("/") + 1;
  return { folder: end === 1 ? "/" : prefix.slice(0, Math.max(0, end - 1)) || ".", rest: value.slice(end) };
}
