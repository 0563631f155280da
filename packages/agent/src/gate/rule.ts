import { type FileScope, optionRisk, readRisk, writeRisk } from "./file-access.ts";
import { editing, highestRisk, printable, type Risk, reading, unclear } from "./risk.ts";
import type { ShellArg } from "./shell-arg.ts";

/** A simple command, and how to assess other commands that it runs. */
export interface Invocation {
  readonly name: string;
  readonly args: readonly ShellArg[];
  readonly scope: FileScope;
  /** The risk of another command that this one runs. */
  readonly assessInner: (args: readonly ShellArg[]) => Risk;
  /** The risk of a script that this command runs in a shell. */
  readonly assessScript: (script: string) => Risk;
}

/** Assesses a known program by its arguments. */
export type Rule = (invocation: Invocation) => Risk;

/** How a program uses its arguments. Unknown options are not understood. */
export interface Usage {
  /** The harmless options; absent: all options are harmless. */
  readonly options?: RegExp;
  /** Options never name files. */
  readonly hasTextOptions?: boolean;
  /** How many operands at the start are not files: a pattern, a program. */
  readonly texts?: number;
  /** No operand is a file. */
  readonly hasTextOnly?: boolean;
  /** The maximum number of operands. */
  readonly maxOperands?: number;
}

/** The rule of a program that only reads. */
export function reader(usage: Usage = {}): Rule {
  return (invocation) => assessArgs(invocation, usage, { fileRisk: readRisk, lowest: reading });
}

/** The rule of a program that changes the files it names, and nothing else. */
export function writer(usage: Usage): Rule {
  return (invocation) => assessArgs(invocation, usage, { fileRisk: writeRisk, lowest: editing });
}

/** What a program does with the files it names, and the lowest risk it has in any case. */
export interface FileUse {
  readonly fileRisk: (scope: FileScope, arg: ShellArg) => Risk;
  readonly lowest: Risk;
}

/** Assesses arguments by `usage`, and the files they name by `fileRisk`; the result is at least `lowest`. */
export function assessArgs({ name, args, scope }: Invocation, usage: Usage, { fileRisk, lowest }: FileUse): Risk {
  const risks: Risk[] = [];
  let operands = 0;
  let isOptionEnd = false; // after `--` there are no options
  for (const arg of args) {
    if (!isOptionEnd && arg.type === "plain" && arg.value === "--") {
      isOptionEnd = true;
      continue;
    }
    if (!isOptionEnd && mayBeOption(arg)) {
      risks.push(arg.type === "plain" ? assessOption(arg.value, { name, scope }, usage) : globAsOption(arg, usage));
      if (arg.type === "plain") continue;
    }
    operands += 1;
    if (usage.maxOperands !== undefined && operands > usage.maxOperands)
      return unclear(`${printable(name)} would write to ${printable(arg.value)}.`);
    if (arg.type === "dynamic")
      risks.push(unclear(`What ${printable(arg.value)} stands for is known only when it runs.`));
    else if (usage.hasTextOnly !== true && operands > (usage.texts ?? 0)) risks.push(fileRisk(scope, arg));
  }
  return highestRisk(risks, lowest);
}

function assessOption(
  option: string,
  { name, scope }: Pick<Invocation, "name" | "scope">,
  { options, hasTextOptions }: Usage,
): Risk {
  if (options !== undefined && !options.test(option))
    return unclear(`The effect of the option ${printable(option)} of ${printable(name)} is not known.`);
  return hasTextOptions === true ? reading : optionRisk(scope, option);
}

function mayBeOption(arg: ShellArg): boolean {
  if (arg.type === "plain") return arg.value.startsWith("-") && arg.value !== "-";
  return arg.type === "glob" && (arg.prefix === "" || arg.prefix.startsWith("-"));
}

/** A file may be called `-o`, which does not matter when every option is harmless. */
function globAsOption(arg: ShellArg, { options }: Usage): Risk {
  return options === undefined
    ? reading
    : unclear(
        `A file found by ${printable(arg.value)} could be taken for an option; "./${printable(arg.value)}" could not.`,
      );
}

/** The texts of all arguments; undefined when one is not known before the command runs. */
export function plainArgs(args: readonly ShellArg[]): readonly string[] | undefined {
  const texts = args.flatMap((arg) => (arg.type === "plain" ? [arg.value] : []));
  return texts.length === args.length ? texts : undefined;
}
