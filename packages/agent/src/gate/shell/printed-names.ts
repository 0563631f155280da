import { existsSync } from "node:fs";
import { join } from "node:path";
import { readRegularFile } from "@sheepdog/records/files";
import type { Command, CommandNode } from "unbash";
import type { FoundArg, ShellArg } from "../command/shell-arg.ts";
import { readSearch } from "../programs/find.ts";
import { alternativesOf } from "./expand-word.ts";
import type { Shell } from "./shell.ts";

/** The names of files that a command of a pipeline prints, one in a line; undefined when it prints something else. */
export function printedNames(node: CommandNode, shell: Shell): FoundArg | undefined {
  if (node.type !== "Command" || node.redirects.some(({ operator }) => operator === "<")) return undefined;
  const [program, ...args] = argsOfCommand(node, shell) ?? [];
  if (program?.type !== "plain") return undefined;
  const flags = args.flatMap((arg) => (arg.type === "plain" && /^-./.test(arg.value) ? [arg.value] : []));
  const operands = args.filter((arg) => !(arg.type === "plain" && /^-./.test(arg.value)));
  if (passesLines(program.value, flags, operands))
    return shell.input?.separator === "line" ? withEnding(shell.input, program.value, args) : undefined;
  switch (program.value) {
    case "find":
      return searchNames(args);
    case "ls":
      return flags.every((flag) => /^-[1AdtrSU]+$/.test(flag))
        ? { ...namesBelow("ls", [here, ...operands]), isFlat: true }
        : undefined;
    case "rg":
      return contentNames(flags, operands, [".*", ...ignoredNames(shell.workspace)]);
    case "grep":
      return flags.some((flag) => /^-\w*r/.test(flag)) ? contentNames(flags, operands, []) : undefined;
    case "git":
      return gitNames(args, flags, ignoredNames(shell.workspace).filter(isGenerated));
    default:
      return undefined;
  }
}

const here: ShellArg = { type: "plain", value: "." };

function argsOfCommand({ name, args }: Command, shell: Shell): readonly ShellArg[] | undefined {
  const lists = [...(name === undefined ? [] : [name]), ...args].map((word) => {
    const alternatives = word.type === "Assignment" ? undefined : alternativesOf(word, shell.variables);
    return alternatives?.length === 1 ? alternatives[0] : undefined;
  });
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

/** Commands that print some of the lines that they read, unchanged. */
function passesLines(program: string, flags: readonly string[], operands: readonly ShellArg[]): boolean {
  switch (program) {
    case "cat":
      return flags.length === 0 && operands.length === 0;
    case "head":
    case "tail":
      return flags.every((flag) => /^-n?\d*$/.test(flag)) && operands.every(({ value }) => /^\d+$/.test(value));
    case "sort":
    case "uniq":
      return flags.every((flag) => /^-[uVrf]+$/.test(flag)) && operands.length === 0;
    case "grep":
    case "egrep":
      return flags.every((flag) => /^-[vEFixwP]+$/.test(flag)) && operands.length === 1;
    default:
      return false;
  }
}

/** `grep '\.ts$'` leaves only names that end like this. */
function withEnding(input: FoundArg, program: string, [pattern, ...others]: readonly ShellArg[]): FoundArg {
  const ending =
    program === "grep" && others.length === 0 ? /^\\(\.\w+)\$$/.exec(pattern?.value ?? "")?.[1] : undefined;
  return ending === undefined || input.names !== undefined ? input : { ...input, names: [`*${ending}`] };
}

function searchNames(args: readonly ShellArg[]): FoundArg | undefined {
  const search = readSearch(args);
  const prints = args.filter(({ value }) => /^-(?:print|print0|printf|ls|exec|delete)$/.test(value));
  if ("tier" in search || search.isFollowing || prints.length > 1) return undefined;
  const [print] = prints;
  if (print !== undefined && !/^-print0?$/.test(print.value)) return undefined;
  return { ...search.found, separator: print?.value === "-print0" ? "none" : "line" };
}

/** `rg -l x`, `rg --files`, `grep -rl x src`. */
function contentNames(
  flags: readonly string[],
  operands: readonly ShellArg[],
  excludes: readonly string[],
): FoundArg | undefined {
  const isListing = flags.includes("--files");
  const isNaming = isListing || flags.some((flag) => /^-[a-zA-Z]*l[a-zA-Z]*$|^--files-with-matches$/.test(flag));
  const isKnown = flags.every((flag) => /^-[rlinwEFPsIS]+$|^--(?:files|files-with-matches|include=.*)$/.test(flag));
  if (!isNaming || !isKnown) return undefined;
  const paths = operands.slice(isListing ? 0 : 1);
  return {
    ...namesBelow("the search", paths.length === 0 ? [here] : paths),
    ...(isListing ? {} : { isSelected: true as const }),
    excludes,
  };
}

function gitNames(
  args: readonly ShellArg[],
  flags: readonly string[],
  ignored: readonly string[],
): FoundArg | undefined {
  const [subcommand] = args;
  const prints =
    (subcommand?.value === "ls-files" && flags.every((flag) => /^-[mcod]$|^--exclude-standard$/.test(flag))) ||
    (subcommand?.value === "diff" && flags.every((flag) => /^--(?:name-only|cached|staged)$/.test(flag))) ||
    (subcommand?.value === "grep" && flags.every((flag) => /^-l[iwEFn]*$/.test(flag)) && flags.length > 0);
  const leadsUp = args.slice(1).some(({ value }) => /(?:^|\/)\.\.(?:\/|$)|^:/.test(value));
  if (!prints || leadsUp || (subcommand?.value === "diff" && !flags.includes("--name-only"))) return undefined;
  const isSelected = subcommand?.value !== "ls-files";
  const patterns = args.slice(1).flatMap(({ value }) => /^(?:[\w./-]+\/)?(\*\.\w+)$/.exec(value)?.[1] ?? []);
  const hasOnlyEndings = patterns.length > 0 && patterns.length === args.length - flags.length - 1;
  const names = hasOnlyEndings && !isSelected ? { names: patterns } : {};
  return {
    ...namesBelow("git", [here]),
    ...names,
    excludes: [".git", ...ignored],
    ...(isSelected ? { isSelected } : {}),
  };
}

/** Git prints ignored files that are tracked: only folders that are generated are taken to be left out. */
const isGenerated = (name: string): boolean =>
  /^\/?(?:node_modules|\.venv|venv|target|dist|build|coverage|vendor|__pycache__)$/.test(name);

/** The names that git ignores, as far as they are plain: rg does not print what is in such folders. */
function ignoredNames(workspace: string): readonly string[] {
  if (!existsSync(join(workspace, ".git"))) return [];
  try {
    const lines = readRegularFile(join(workspace, ".gitignore")).split("\n");
    if (lines.some((line) => line.startsWith("!"))) return [];
    return lines.flatMap((line) => /^(\/?[\w.-]+)\/?$/.exec(line.trim())?.[1] ?? []);
  } catch {
    return []; // there is no such file
  }
}

function namesBelow(value: string, below: readonly ShellArg[]): FoundArg {
  return { type: "found", value, below, hasOnlyFiles: false, separator: "line" };
}
