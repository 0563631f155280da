import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

export interface Options {
  /** The folder with the clones. */
  readonly clones: string;
  /** The folder for the rebuilt runs. It is created if it does not exist. */
  readonly out: string;
  /** The only source to rebuild; all sources if undefined. */
  readonly source: string | undefined;
}

const usage = "npm run bench:rebuild -- --clones <folder> --out <folder> [--source <name>]";

/** Reads the flags; folders are relative to `workingFolder`. Throws a sentence for a wrong option or folder. */
export function readOptions(flags: readonly string[], sourceNames: readonly string[], workingFolder: string): Options {
  const { clones, out, source } = parseFlags(flags);
  if (!clones || !out) throw new Error(`Expected --clones <folder> and --out <folder>. Usage: ${usage}`);
  if (source !== undefined && !sourceNames.includes(source))
    throw new Error(`Expected --source ${sourceNames.join(", ")}; got ${source || "no name"}.`);
  const options = { clones: resolve(workingFolder, clones), out: resolve(workingFolder, out), source };
  if (kindOf(options.clones) !== "folder")
    throw new Error(`Expected a folder with clones after --clones; got ${options.clones}, which is no folder.`);
  if (kindOf(options.out) === "file")
    throw new Error(`Expected a folder after --out; got ${options.out}, which is a file.`);
  return options;
}

function parseFlags(flags: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({ args: [...flags], options: { clones: text, out: text, source: text } }).values;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${reason} Usage: ${usage}`, { cause });
  }
}

function kindOf(path: string): "folder" | "file" | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return stats.isDirectory() ? "folder" : "file";
}
