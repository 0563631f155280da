import type { Arg } from "./arg.ts";
import { type Whereabouts, whereabouts } from "./containment.ts";
import { beyond, editing, reading, shown, unclear, type Verdict, worst } from "./verdict.ts";

/** What a command may be asked about the files it names. */
export interface Sight {
  readonly workspace: string;
  /** The folders the command may be run in: more than one where a `cd` before it may have failed. */
  readonly folders: readonly string[];
}

/** What reading what an argument names means. */
export function readsFile(sight: Sight, arg: Arg): Verdict {
  if (arg.type === "open") return unclear(`What ${shown(arg.value)} names is known only when it runs.`);
  if (arg.type === "home") return beyond(`Reads ${shown(arg.value)}, which is outside the workspace.`);
  if (arg.type === "glob") {
    const { folder, rest } = split(arg);
    if (/(?:^|\/)\.\.(?:\/|$)/.test(rest))
      return unclear(`Where ${shown(arg.value)} leads is known only when it runs.`);
    return readsFile(sight, { type: "plain", value: folder });
  }
  if (arg.value === "-" || arg.value === "" || devices.has(arg.value)) return reading;
  return lies(sight, arg.value).includes("outside")
    ? beyond(`Reads ${shown(arg.value)}, which is outside the workspace.`)
    : reading;
}

/** What writing to, or removing, what an argument names means. */
export function writesFile(sight: Sight, arg: Arg): Verdict {
  if (arg.type === "open") return unclear(`What ${shown(arg.value)} names, to be written, is known only when it runs.`);
  if (arg.type === "home") return beyond(`Writes to ${shown(arg.value)}, which is outside the workspace.`);
  if (arg.type === "glob") {
    const { folder, rest } = split(arg);
    if (rest.includes("/")) return unclear(`Where ${shown(arg.value)} leads is known only when it runs.`);
    if (rest.startsWith(".")) return unclear(`${shown(arg.value)} may name the folder that git keeps its books in.`);
    if (/^[*?[]/.test(rest) && lies(sight, folder).includes("root"))
      return unclear(`Changes whatever lies at the top of the workspace (${shown(arg.value)}).`);
    return writesFile(sight, { type: "plain", value: `${folder}/x` });
  }
  if (devices.has(arg.value)) return reading;
  const places = lies(sight, arg.value);
  if (places.includes("outside"))
    return { ...beyond(`Writes to ${shown(arg.value)}, which is outside the workspace.`), isOutside: true };
  if (places.includes("git")) return beyond(`Changes ${shown(arg.value)}, which decides what git does.`);
  if (places.includes("own")) return beyond(`Changes ${shown(arg.value)}, which decides what agents are held to.`);
  if (places.includes("root")) return unclear("Changes the workspace as a whole.");
  return editing;
}

/** What the paths mean that stand in an option such as `--file=/x` or `-f../x`. */
export function readsInOption(sight: Sight, option: string): Verdict {
  const given = /^--?[\w-]*=(.*)$/s.exec(option)?.[1];
  const from = option.search(/\/|\.\.|~/);
  const values = [
    ...(given === undefined ? [] : [given]),
    ...(from < 0 || given !== undefined ? [] : [option.slice(from)]),
  ];
  return worst(values.map((value) => readsFile(sight, { type: value.startsWith("~") ? "home" : "plain", value })));
}

const devices: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"]);

function lies({ workspace, folders }: Sight, path: string): readonly Whereabouts[] {
  return folders.map((folder) => whereabouts(workspace, folder, path));
}

/** The folder in front of the first name that is not known, and the rest. */
function split({ value, prefix }: Extract<Arg, { type: "glob" }>): { readonly folder: string; readonly rest: string } {
  const end = prefix.lastIndexOf("/") + 1;
  return { folder: end === 1 ? "/" : prefix.slice(0, Math.max(0, end - 1)) || ".", rest: value.slice(end) };
}
