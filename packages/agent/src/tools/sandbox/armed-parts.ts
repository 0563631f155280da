import { lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeFile } from "./remove-file.ts";

/** The parts of a git folder that can start programs, as they are at one moment. */
export interface ArmedParts {
  /** The text of the configuration; undefined if there is none. */
  readonly settings: string | undefined;
  /** The hooks without samples, and files that name remotes or more settings; each with a value for this state. */
  readonly files: ReadonlyMap<string, string>;
  /** Programs that `git rebase --continue` would run. */
  readonly steps: readonly string[];
}

export function armedParts(gitFolder: string): ArmedParts {
  const folders = ["hooks", "remotes", "branches"].flatMap((folder) => filesIn(gitFolder, folder));
  const names = [...folders, "config.worktree", "commondir"];
  const files = names.flatMap((name): readonly [string, string][] => {
    const stats = lstatSync(join(gitFolder, name), { throwIfNoEntry: false });
    return stats === undefined || (stats.isDirectory() && !/^(?:hooks|remotes|branches)/.test(name)) // no file
      ? []
      : [[name, `${stats.ino} ${stats.size} ${stats.ctimeMs}`]];
  });
  return { settings: textOf(join(gitFolder, "config")), files: new Map(files), steps: stepsIn(gitFolder) };
}

export function areSameParts(one: ArmedParts, other: ArmedParts): boolean {
  const isKept = ([name, state]: [string, string]) => one.files.get(name) === state;
  const hasSteps = other.steps.every((step) => one.steps.includes(step));
  return hasSteps && one.settings === other.settings && [...other.files].every(isKept);
}

/**
 * Lines that name a program, as git reads them: a carriage return does not end a line. A strategy with a slash is a
 * file: git would run `git-merge-x/../file`.
 */
const programSteps: readonly (readonly [string, RegExp])[] = [
  ["rebase-merge/git-rebase-todo", /^[\t ]*(?:exec|x)[\t ][^\n]*/gm],
  ["rebase-merge/strategy", /^[^\n]*\/[^\n]*/gm],
  ["sequencer/opts", /^[^\n]*\/[^\n]*/gm],
];

export function stepsIn(gitFolder: string): readonly string[] {
  return programSteps.flatMap(([name, step]) => textOf(join(gitFolder, name))?.match(step) ?? []);
}

/** Removes the programs from a rebase that has not ended, except the known ones. Returns whether there were any. */
export function removeSteps(gitFolder: string, known: readonly string[]): boolean {
  if (stepsIn(gitFolder).every((step) => known.includes(step))) return false;
  for (const [name, step] of programSteps) {
    const path = join(gitFolder, name);
    const text = textOf(path);
    const kept = text?.replace(step, (line) => (known.includes(line) ? line : ""));
    if (kept === undefined || kept === text) continue;
    removeFile(path); // it may be a link
    writeFileSync(path, kept, "latin1");
  }
  return true;
}

/** A link leads to a folder or a file that others may change: its own state is what counts. */
function filesIn(gitFolder: string, name: string): readonly string[] {
  const folder = join(gitFolder, name);
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return stats === undefined ? [] : [name];
  try {
    const names = readdirSync(folder).filter((file) => !file.endsWith(".sample"));
    return names.map((file) => join(name, file));
  } catch {
    return [name]; // it cannot be listed, but git may use what is in it
  }
}

function textOf(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path, "latin1") : undefined;
  } catch {
    return undefined; // it is missing, or git cannot read it either
  }
}
