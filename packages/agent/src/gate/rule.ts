import { type FileScope, optionRisk, readRisk, writeRisk } from "./file-access.ts";
import { editing, highestRisk, printable, type Risk, reading, unclear } from "./risk.ts";
import type { ShellArg } from "./shell-arg.ts";

/** A simple command, with what it can be asked. */
export interface Invocation {
  readonly name: string;
  readonly args: readonly ShellArg[];
  readonly scope: FileScope;
  /** What another command means that this one runs. */
  readonly runs: (args: readonly ShellArg[]) => Risk;
  /** What a script means that this one runs in a shell. */
  readonly runsScript: (script: string) => Risk;
}

/** What a known program does with its arguments. */
export type Rule = (invocation: Invocation) => Risk;

/** How the arguments of a program are read. Options that are not known are not understood. */
export interface Usage {
  /** The options that do no harm; all of them where there is none. */
  readonly options?: RegExp;
  /** Options say nothing of files. */
  readonly hasTextOptions?: boolean;
  /** The first operands that are no files: a pattern, a program. */
  readonly texts?: number;
  /** Operands are no files at all. */
  readonly hasTextOnly?: boolean;
  /** At most so many operands. */
  readonly operands?: number;
}

/** A program that only reads. */
export function reader(usage: Usage = {}): Rule {
  return (invocation) => assessArgs(invocation, usage, readRisk, reading);
}

/** A program that changes the files it names, and nothing else. */
export function writer(usage: Usage): Rule {
  return (invocation) => assessArgs(invocation, usage, writeRisk, editing);
}

/** Reads arguments as `usage` says, and files as `ask` does. */
export function assessArgs(
  { name, args, scope }: Invocation,
  usage: Usage,
  ask: (sight: FileScope, arg: ShellArg) => Risk,
  least: Risk,
): Risk {
  const verdicts: Risk[] = [];
  let operands = 0;
  let isOver = false; // behind `--` there are no options
  for (const arg of args) {
    if (!isOver && arg.type === "plain" && arg.value === "--") {
      isOver = true;
      continue;
    }
    if (!isOver && mayBeOption(arg)) {
      verdicts.push(arg.type === "plain" ? judgeOption(name, arg.value, scope, usage) : looksLikeOption(arg, usage));
      if (arg.type === "plain") continue;
    }
    operands += 1;
    if (usage.operands !== undefined && operands > usage.operands)
      return unclear(`${printable(name)} would write to ${printable(arg.value)}.`);
    if (arg.type === "open")
      verdicts.push(unclear(`What ${printable(arg.value)} stands for is known only when it runs.`));
    else if (usage.hasTextOnly !== true && operands > (usage.texts ?? 0)) verdicts.push(ask(scope, arg));
  }
  return highestRisk(verdicts, least);
}

function judgeOption(name: string, option: string, sight: FileScope, { options, hasTextOptions }: Usage): Risk {
  if (options !== undefined && !options.test(option))
    return unclear(`What the option ${printable(option)} makes ${printable(name)} do is not known here.`);
  return hasTextOptions === true ? reading : optionRisk(sight, option);
}

function mayBeOption(arg: ShellArg): boolean {
  if (arg.type === "plain") return arg.value.startsWith("-") && arg.value !== "-";
  return arg.type === "glob" && (arg.prefix === "" || arg.prefix.startsWith("-"));
}

/** A file may be called `-o`; where every option is harmless that does not matter. */
function looksLikeOption(arg: ShellArg, { options }: Usage): Risk {
  return options === undefined
    ? reading
    : unclear(
        `A file found by ${printable(arg.value)} could be taken for an option; "./${printable(arg.value)}" could not.`,
      );
}

/** The known texts of arguments; undefined where one is not known. */
export function plainArgs(args: readonly ShellArg[]): readonly string[] | undefined {
  const texts = args.flatMap((arg) => (arg.type === "plain" ? [arg.value] : []));
  return texts.length === args.length ? texts : undefined;
}
