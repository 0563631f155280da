import type { ShellArg } from "../command/shell-arg.ts";
import { type FileScope, mayFind, mayFindOption } from "../files/file-access.ts";
import { printable, type Risk, unclear } from "../risk/risk.ts";

/** What an option does with its value: `:` takes a text, `<` a file to read, `>` a file to write. */
type ValueUse = "text" | "read" | "write";

/**
 * The options that a program understands, in a short notation. `-abc` are three options without a value, `-n:` takes a
 * text, `-f<` a file to read, `-o>` a file to write, `-#` is a number; the same marks follow long options, and `--x?`
 * may have a text behind `=`. What is not listed is not understood, nor are abbreviations.
 */
export type OptionSpec = ReadonlyMap<string, "flag" | "optional" | ValueUse>;

/** Arguments, sorted by what they are. */
export interface SortedArgs {
  readonly options: ReadonlySet<string>;
  readonly values: readonly { readonly option: string; readonly use: ValueUse; readonly arg: ShellArg }[];
  readonly operands: readonly ShellArg[];
}

const uses: ReadonlyMap<string, "optional" | ValueUse> = new Map([
  [":", "text"],
  ["<", "read"],
  [">", "write"],
  ["?", "optional"],
]);

/** Reads the notation of `OptionSpec`. */
export function optionSpec(text: string): OptionSpec {
  const spec = new Map<string, "flag" | "optional" | ValueUse>();
  for (const word of text.trim().split(/\s+/)) {
    const use = uses.get(word.at(-1) ?? "") ?? "flag";
    const name = use === "flag" ? word : word.slice(0, -1);
    if (name.startsWith("--")) spec.set(name, use);
    else for (const letter of name.slice(1)) spec.set(`-${letter}`, use);
  }
  return spec;
}

/** Sorts the arguments of a program; a risk when one of its options is not understood. */
export function sortArgs(
  { name, args, scope }: { readonly name: string; readonly args: readonly ShellArg[]; readonly scope: FileScope },
  spec: OptionSpec,
): SortedArgs | Risk {
  const options = new Set<string>();
  const values: { option: string; use: ValueUse; arg: ShellArg }[] = [];
  const operands: ShellArg[] = [];
  const pending = [...args];
  const unknown = (option: string): Risk =>
    unclear(`The effect of the option ${printable(option)} of ${printable(name)} is not known.`, "unknown option");
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const arg = literalOption(scope, next);
    if (arg.type === "plain" && arg.value === "--") {
      operands.push(...pending.splice(0));
      break;
    }
    const problem = hiddenOption(scope, arg);
    if (problem !== undefined) return problem;
    if (arg.type !== "plain" || !arg.value.startsWith("-") || arg.value === "-") {
      if (readsOptionsFromFiles.has(name) && arg.value.startsWith("@"))
        return unclear(`${printable(name)} would read options from a file.`, "file list");
      operands.push(arg);
      continue;
    }
    for (const { option, attached } of optionsIn(arg.value, spec)) {
      const use = spec.get(option);
      if (use === undefined) return unknown(arg.value);
      options.add(option);
      if (use === "flag" && attached !== undefined) return unknown(arg.value);
      if (use === "flag" || use === "optional") continue;
      const value = attached === undefined ? pending.shift() : valueArg(attached);
      if (value === undefined) return unknown(arg.value);
      if (value.type === "found" || value.type === "glob" || (value.type === "dynamic" && !value.isQuoted))
        return unclear(`What ${printable(value.value)} stands for is known only when it runs.`, "dynamic argument");
      values.push({ option, use, arg: value });
    }
  }
  return { options, values, operands };
}

/** Programs that take `@file` for a list of arguments. */
const readsOptionsFromFiles: ReadonlySet<string> = new Set(["strip", "strings", "nm", "objdump", "readelf", "size"]);

const valueArg = (value: string): ShellArg => ({ type: value.startsWith("~") ? "home" : "plain", value });

/** The options in one argument: `--all`, `--file=x`, `-abc`, `-n5`. */
function optionsIn(text: string, spec: OptionSpec): readonly { readonly option: string; readonly attached?: string }[] {
  if (text.startsWith("--")) {
    const end = text.indexOf("=");
    return [end < 0 ? { option: text } : { option: text.slice(0, end), attached: text.slice(end + 1) }];
  }
  if (/^-\d+$/.test(text) && spec.has("-#")) return [{ option: "-#" }];
  const found: { option: string; attached?: string }[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const option = `-${text[at]}`;
    const use = spec.get(option);
    const rest = text.slice(at + 1);
    const takesRest = use !== undefined && use !== "flag";
    found.push(takesRest && rest !== "" ? { option, attached: rest } : { option });
    if (takesRest || use === undefined) break;
  }
  return found;
}

/** `--include=*.ts` stays as it is written when there is no file of such a name. */
function literalOption(scope: FileScope, arg: ShellArg): ShellArg {
  const isLiteral = arg.type === "glob" && arg.prefix.startsWith("-") && !mayFind(scope, arg);
  return isLiteral ? { type: "plain", value: arg.value } : arg;
}

/** An argument that may turn out to be an option when the command runs. */
function hiddenOption(scope: FileScope, arg: ShellArg): Risk | undefined {
  if (arg.type === "dynamic")
    return unclear(`What ${printable(arg.value)} stands for is known only when it runs.`, "dynamic argument");
  if (arg.type === "glob" && mayFindOption(scope, arg))
    return unclear(
      `A file found by ${printable(arg.value)} could be taken for an option; "./${printable(arg.value)}" could not.`,
      "option from a file name",
    );
  return undefined;
}
