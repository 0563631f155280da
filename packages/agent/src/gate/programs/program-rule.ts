import type { FoundArg, ShellArg } from "../command/shell-arg.ts";
import { accessRisk, type FileAccess, type FileScope, optionRisk, readRisk } from "../files/file-access.ts";
import { followingRisk } from "../files/found-files.ts";
import { locatePath } from "../files/path-location.ts";
import { beyond, building, editing, highestRisk, printable, type Risk, reading, unclear } from "../risk/risk.ts";
import { type OptionSpec, optionSpec, type SortedArgs, sortArgs } from "./options.ts";

/** A simple command, and how to assess other commands that it runs. */
export interface Invocation {
  readonly name: string;
  readonly args: readonly ShellArg[];
  readonly scope: FileScope;
  /** The names of files that come in through standard input, if that is known. */
  readonly input?: FoundArg;
  /** The risk of another command that this one runs. */
  readonly assessInner: (args: readonly ShellArg[]) => Risk;
  /** The risk of a script that this command runs in a shell. */
  readonly assessScript: (script: string) => Risk;
}

/** Assesses a known program by its arguments. */
export type ProgramRule = (invocation: Invocation) => Risk;

/** How a program uses its arguments. */
export interface Usage {
  /** The options it understands; see `OptionSpec`. */
  readonly options?: string;
  /** What it does with the files that its operands name; `none`: operands are texts. Default: `read`. */
  readonly operands?: FileAccess | "none";
  /** How many operands at the start are not files: a pattern, a program. */
  readonly texts?: number;
  /** Options that take the place of those texts. */
  readonly textOptions?: string;
  /** The maximum number of operands. */
  readonly maxOperands?: number;
  /** Options that make it follow links in folders; `always`: it does without one. */
  readonly follows?: string;
}

/** The rule of a program that is fully described by its usage. */
function rule(usage: Usage, lowest: Risk): ProgramRule {
  const spec = optionSpec(usage.options ?? "--help --version");
  return (invocation) => assessUsage(invocation, { usage, spec, lowest });
}

/** The rule of a program that only reads. */
export function reader(usage: Usage = {}): ProgramRule {
  return rule(usage, reading);
}

/** The rule of a program that changes the files it names, and nothing else. */
export function writer(usage: Usage): ProgramRule {
  return rule({ operands: "write", ...usage }, editing);
}

/** The rule of a program that runs code of the project with the files it names. */
export function builder(usage: Usage): ProgramRule {
  return rule(usage, building);
}

interface CompiledUsage {
  readonly usage: Usage;
  readonly spec: OptionSpec;
  readonly lowest: Risk;
}

function assessUsage(invocation: Invocation, { usage, spec, lowest }: CompiledUsage): Risk {
  const sorted = sortArgs(invocation, spec);
  if ("tier" in sorted) return sorted;
  return highestRisk([assessSorted(invocation, sorted, usage)], lowest);
}

/** The risk of arguments that are already sorted. */
function assessSorted({ name, scope }: Invocation, sorted: SortedArgs, usage: Usage): Risk {
  const { operands = "read", texts = 0, textOptions = "", follows = "", maxOperands } = usage;
  const has = (names: string): boolean => names.split(" ").some((option) => sorted.options.has(option));
  const extra = maxOperands === undefined ? undefined : sorted.operands[maxOperands];
  if (extra !== undefined)
    return unclear(`The effect of ${printable(extra.value)} on ${printable(name)} is not known.`, "unknown option");
  const firstFile = has(textOptions) ? 0 : texts;
  // a pattern may find several names, of which only the first takes the place of a text
  const isFile = (arg: ShellArg, at: number): boolean => at >= firstFile || arg.type === "glob" || arg.type === "found";
  const files = operands === "none" ? [] : sorted.operands.filter(isFile);
  const access = operands === "none" ? "read" : operands;
  return highestRisk([
    ...files.map((arg) => accessRisk(scope, arg, access)),
    ...valueRisks(scope, sorted),
    ...(follows === "always" || has(follows) ? [followingRisk(scope, files)] : []),
  ]);
}

/** The risks of the files that options name. */
export function valueRisks(scope: FileScope, { values }: SortedArgs): readonly Risk[] {
  return values.map(({ use, arg }) => {
    if (use === "text")
      return arg.type === "dynamic" && !arg.isQuoted
        ? unclear(`What ${printable(arg.value)} stands for is known only when it runs.`, "dynamic argument")
        : reading;
    return accessRisk(scope, arg, use);
  });
}

/** Options of project tools that hold code, start a program or fetch packages. */
const codeOption =
  /^--(?:[\w-]+[-_])?(?:hook|eval|exec|command|cmd)(?:=|$)|data:|^--(?:install-types|pastebin)|^\{.*[(:]/s;

/**
 * The risk of running code of the project with these arguments. The gate does not know its options, and it may write to
 * whatever it is given, so nothing in the arguments may lead to a protected folder or out of the workspace.
 */
export function assessProjectCode({ args, scope: fullScope }: Pick<Invocation, "args" | "scope">): Risk {
  const { changes: _, ...scope } = fullScope; // a link gives it nothing that it could not do itself
  const risks = args.map((arg, at) => {
    if (isOutputRoot(scope, arg.value, args[at + 1]))
      return unclear(`${printable(arg.value)} may empty the whole workspace.`, "overwrite everything");
    if (arg.type === "dynamic")
      return unclear(`What ${printable(arg.value)} stands for is known only when it runs.`, "dynamic argument");
    if (codeOption.test(arg.value))
      return unclear(`The option ${printable(arg.value)} may hold code or fetch some.`, "inline code");
    if (/\/dev\/(?!null)/.test(arg.value)) return unclear("Would run what another command prints.", "pipe to shell");
    if (/\w+:\/\//.test(arg.value))
      return beyond(`${printable(arg.value)} may be on another machine.`, "network access");
    const isOption = arg.type === "plain" && arg.value.startsWith("-") && arg.value !== "-";
    const parts = arg.type === "plain" ? pathsWithin(arg.value).map((path) => readRisk(scope, path)) : [];
    const risk = highestRisk([isOption ? optionRisk(scope, arg.value) : readRisk(scope, arg), ...parts]);
    const isProtected =
      risk.paths?.some(({ location }) => location === "git" || location === "sheepdog") === true ||
      /^-\w\.(?:git|sheepdog)(?:\/|$)/i.test(arg.value);
    if (!isProtected) return risk;
    return highestRisk([risk, beyond(`${printable(arg.value)} is in a protected folder.`, "protected folder")]);
  });
  return highestRisk(risks, building);
}

/** The paths in a value with several parts: `xml:/tmp/x`, `cache_dir=/tmp/x`. */
function pathsWithin(text: string): readonly ShellArg[] {
  const parts = text.split(/[=:,;]/).slice(1);
  return parts
    .filter((part) => /^[~/]|(?:^|\/)\.\.(?:\/|$)/.test(part))
    .map((value) => ({ type: value.startsWith("~") ? "home" : "plain", value }));
}

const outputOption = /^--?(?:out|out-?dir|output|dest|destination|site-dir|target-dir|clear)(?:=(.*))?$/is;

/** Tools that write to a folder may empty it first. */
function isOutputRoot({ workspace, folders }: FileScope, option: string, next: ShellArg | undefined): boolean {
  const match = outputOption.exec(option);
  const value = match?.[1] ?? next?.value;
  if (match === null || value === undefined) return false;
  return folders.some((folder) => locatePath(workspace, folder, value) === "root");
}

/** The texts of all arguments; undefined when one is not known before the command runs. */
export function plainArgs(args: readonly ShellArg[]): readonly string[] | undefined {
  const texts = args.flatMap((arg) => (arg.type === "plain" ? [arg.value] : []));
  return texts.length === args.length ? texts : undefined;
}
