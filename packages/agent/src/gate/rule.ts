import type { Arg } from "./arg.ts";
import { readsFile, readsInOption, type Sight, writesFile } from "./sight.ts";
import { editing, reading, shown, unclear, type Verdict, worst } from "./verdict.ts";

/** A simple command, with what it can be asked. */
export interface Invocation {
  readonly name: string;
  readonly args: readonly Arg[];
  readonly sight: Sight;
  /** What another command means that this one runs. */
  readonly runs: (args: readonly Arg[]) => Verdict;
  /** What a script means that this one runs in a shell. */
  readonly runsScript: (script: string) => Verdict;
}

/** What a known program does with its arguments. */
export type Rule = (invocation: Invocation) => Verdict;

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
  return (invocation) => judge(invocation, usage, readsFile, reading);
}

/** A program that changes the files it names, and nothing else. */
export function writer(usage: Usage): Rule {
  return (invocation) => judge(invocation, usage, writesFile, editing);
}

/** Reads arguments as `usage` says, and files as `ask` does. */
export function judge(
  { name, args, sight }: Invocation,
  usage: Usage,
  ask: (sight: Sight, arg: Arg) => Verdict,
  least: Verdict,
): Verdict {
  const verdicts: Verdict[] = [];
  let operands = 0;
  let isOver = false; // behind `--` there are no options
  for (const arg of args) {
    if (!isOver && arg.type === "plain" && arg.value === "--") {
      isOver = true;
      continue;
    }
    if (!isOver && mayBeOption(arg)) {
      verdicts.push(arg.type === "plain" ? judgeOption(name, arg.value, sight, usage) : looksLikeOption(arg, usage));
      if (arg.type === "plain") continue;
    }
    operands += 1;
    if (usage.operands !== undefined && operands > usage.operands)
      return unclear(`${shown(name)} would write to ${shown(arg.value)}.`);
    if (arg.type === "open") verdicts.push(unclear(`What ${shown(arg.value)} stands for is known only when it runs.`));
    else if (usage.hasTextOnly !== true && operands > (usage.texts ?? 0)) verdicts.push(ask(sight, arg));
  }
  return worst(verdicts, least);
}

function judgeOption(name: string, option: string, sight: Sight, { options, hasTextOptions }: Usage): Verdict {
  if (options !== undefined && !options.test(option))
    return unclear(`What the option ${shown(option)} makes ${shown(name)} do is not known here.`);
  return hasTextOptions === true ? reading : readsInOption(sight, option);
}

function mayBeOption(arg: Arg): boolean {
  if (arg.type === "plain") return arg.value.startsWith("-") && arg.value !== "-";
  return arg.type === "glob" && (arg.prefix === "" || arg.prefix.startsWith("-"));
}

/** A file may be called `-o`; where every option is harmless that does not matter. */
function looksLikeOption(arg: Arg, { options }: Usage): Verdict {
  return options === undefined
    ? reading
    : unclear(`A file found by ${shown(arg.value)} could be taken for an option; "./${shown(arg.value)}" could not.`);
}

/** The known texts of arguments; undefined where one is not known. */
export function plainArgs(args: readonly Arg[]): readonly string[] | undefined {
  const texts = args.flatMap((arg) => (arg.type === "plain" ? [arg.value] : []));
  return texts.length === args.length ? texts : undefined;
}
