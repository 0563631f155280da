import { lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeFile } from "./remove-file.ts";

/** The parts of a git folder that can start programs, as they are at one moment. */
export interface ArmedParts {
  /** The text of the configuration; undefined if there is none. */
  readonly settings: string | undefined;
  /** The hooks without the samples of git, and files that name more settings; each with a value for this state. */
  readonly files: ReadonlyMap<string, string>;
  /** Programs that `git rebase --continue` would run. */
  readonly steps: readonly string[];
}

export function armedParts(gitFolder: string): ArmedParts {
  const names = [...hooksIn(gitFolder), "config.worktree", "commondir"];
  const files = names.flatMap((name): readonly [string, string][] => {
    const stats = lstatSync(join(gitFolder, name), { throwIfNoEntry: false });
    return stats === undefined || (stats.isDirectory() && !name.startsWith("hooks")) // git reads no folder
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

const todoOfRebase = "rebase-merge/git-rebase-todo";
/** The whole line as git reads it: a carriage return does not end it. */
const programStep = /^[\t ]*(?:exec|x)[\t ][^\n]*/gm;

export function stepsIn(gitFolder: string): readonly string[] {
  return textOf(join(gitFolder, todoOfRebase))?.match(programStep) ?? [];
}

/** Removes the programs from a rebase that has not ended, except the known ones. Returns whether there were any. */
export function removeSteps(gitFolder: string, known: readonly string[]): boolean {
  if (stepsIn(gitFolder).every((step) => known.includes(step))) return false;
  const path = join(gitFolder, todoOfRebase);
  const text = textOf(path) ?? "";
  removeFile(path); // it may be a link
  writeFileSync(
    path,
    text.replace(programStep, (step) => (known.includes(step) ? step : "")),
    "latin1",
  );
  return true;
}

/** A link leads to a folder or a file that others may change: its own state is what counts. */
function hooksIn(gitFolder: string): readonly string[] {
  const folder = join(gitFolder, "hooks");
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return stats === undefined ? [] : ["hooks"];
  try {
    const names = readdirSync(folder).filter((name) => !name.endsWith(".sample"));
    return names.map((name) => join("hooks", name));
  } catch {
    return ["hooks"]; // it cannot be listed, but git may start what is in it
  }
}

function textOf(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path, "latin1") : undefined;
  } catch {
    return undefined; // it is missing, or git cannot read it either
  }
}
