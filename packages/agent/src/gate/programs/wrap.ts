import type { FoundArg, ShellArg } from "../command/shell-arg.ts";
import { beyond, highestRisk, printable, type Risk, reading, unclear } from "../risk/risk.ts";
import { withFound } from "./find.ts";
import { isFreeForCode, isFreeVariable, isHarmlessVariable } from "./free-variables.ts";
import { optionSpec, sortArgs } from "./options.ts";
import type { Invocation, ProgramRule } from "./program-rule.ts";

/** Commands that run another command, and builtins that set variables. */
export const wrappingCommands: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  [
    "timeout",
    (invocation) => wrapped(invocation, "-k: -s: -v --kill-after: --signal: --preserve-status --foreground", 1),
  ],
  ["gtimeout", (invocation) => wrapped(invocation, "-k: -s: --kill-after: --signal:", 1)],
  ["nice", (invocation) => wrapped(invocation, "-n: -# --adjustment:", 0)],
  ["ionice", (invocation) => wrapped(invocation, "-c: -n: -t", 0)],
  ["nohup", (invocation) => wrapped(invocation, "--", 0)],
  ["time", (invocation) => wrapped(invocation, "-pvl", 0)],
  ["stdbuf", (invocation) => wrapped(invocation, "-i: -o: -e:", 0)],
  ["command", command],
  ["env", env],
  ["export", exported],
  ["read", readNames],
  ["xargs", xargs],
]);

/** `timeout 5 npm test`: the wrapped command decides. */
function wrapped({ name, args, scope, assessInner }: Invocation, options: string, operands: number): Risk {
  const at = commandIndex(args, options);
  const sorted = sortArgs({ name, args: args.slice(0, at), scope }, optionSpec(options));
  if ("tier" in sorted) return sorted;
  const ownOperands = args.slice(at, at + operands);
  if (ownOperands.some((arg) => arg.type !== "plain" || !/^[\d.]+[smhd]?$/.test(arg.value)))
    return unclear(`The arguments of ${name} are not understood.`, "unknown option");
  return assessInner(args.slice(at + operands));
}

/** The index of the first argument that is neither an option nor its value. */
function commandIndex(args: readonly ShellArg[], options: string): number {
  const spec = optionSpec(options);
  for (let at = 0; at < args.length; at += 1) {
    const { value } = args[at] as ShellArg; // `at` is within
    if (value === "--") return at + 1;
    if (!/^-./.test(value)) return at;
    const use = spec.get(value);
    if (use !== undefined && use !== "flag" && use !== "optional") at += 1;
  }
  return args.length;
}

const shellOnly = /^(?:export|read|cd)$/;

function command({ args, assessInner }: Invocation): Risk {
  const [first] = args;
  if (first?.type === "plain" && /^-[vV]$/.test(first.value)) return reading;
  if (first?.type !== "plain" || shellOnly.test(first.value))
    return unclear(`command ${printable(first?.value ?? "")} changes the shell.`, "eval");
  return assessInner(args);
}

function env({ args, assessInner }: Invocation): Risk {
  const at = args.findIndex((arg) => !(arg.type === "plain" && /^[A-Za-z_]\w*=/.test(arg.value)));
  if (at < 0) return beyond("Shows the environment, which may contain secrets.", "environment disclosure");
  const next = args[at];
  if (next?.type === "plain" && next.value.startsWith("-"))
    return unclear(
      `The argument ${printable(next.value)} of env can change which program runs.`,
      "environment injection",
    );
  const inner = assessInner(args.slice(at));
  const refused = args.slice(0, at).find(({ value: text }) => {
    const [, name = "", value = ""] = /^(\w+)=([\s\S]*)$/.exec(text) ?? [];
    return !(inner.tier >= 2 ? isFreeForCode(name, value) : isHarmlessVariable(name));
  });
  return refused === undefined ? inner : highestRisk([inner, setsVariable(refused.value)]);
}

function setsVariable(text: string): Risk {
  return unclear(`Sets ${printable(text)}, which can change what the commands after it do.`, "environment injection");
}

function exported({ args }: Invocation): Risk {
  const refused = args.find((arg) => {
    const [, name = "", value] = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(arg.value) ?? [];
    if (value === undefined) return !isHarmlessVariable(name);
    if (arg.type === "dynamic") return !arg.isQuoted || !isFreeVariable(name);
    return arg.type !== "plain" || !isFreeForCode(name, value);
  });
  return refused === undefined && args.length > 0 ? reading : setsVariable(refused?.value ?? "the environment");
}

const readOptions = optionSpec("-rs -d: -n: -p: -t:");

/** Reads lines into variables: `read -r line`, `read -r -d '' file`. */
function readNames(invocation: Invocation): Risk {
  const sorted = sortArgs(invocation, readOptions);
  if ("tier" in sorted) return sorted;
  return sorted.operands.every((arg) => arg.type === "plain" && isFreeVariable(arg.value))
    ? reading
    : unclear("Reads into variables in a way that is not understood.", "environment injection");
}

const xargsOptions = `-0rtpox -n: -P: -I: -L: -d: -s: --null --no-run-if-empty --max-args: --max-procs: --max-lines?
  --delimiter: --verbose --replace? --exit`;

/** The inner command is judged with the names that come in; what they are is often not known. */
function xargs({ name, args, scope, input, assessInner }: Invocation): Risk {
  const at = commandIndex(args, xargsOptions);
  const sorted = sortArgs({ name, args: args.slice(0, at), scope }, optionSpec(xargsOptions));
  if ("tier" in sorted) return sorted;
  const inner = args.slice(at);
  if (inner.length === 0) return reading;
  const [first] = inner;
  if (first?.type === "plain" && first.value === "echo") return reading;
  const textOf = (option: string) => sorted.values.find((value) => value.option === option)?.arg.value;
  const isSeparatedByNul = sorted.options.has("-0") || sorted.options.has("--null");
  const delimiter = textOf("-d") ?? textOf("--delimiter");
  const found = foundNames(input, isSeparatedByNul ? "none" : delimiter === undefined ? "word" : "line", delimiter);
  if (found === undefined)
    return unclear(
      `xargs runs ${printable(first?.value ?? "")} with arguments that are known only when it runs.`,
      "command from arguments",
    );
  const marks = sorted.values.filter((value) => value.option === "-I");
  const isMixed =
    marks.length > 0 && ["-n", "-L", "--max-args", "--max-lines"].some((name) => sorted.options.has(name));
  if (marks.length > 1 || isMixed || sorted.options.has("--replace"))
    return unclear("How xargs puts names into the command is not understood.", "command from arguments");
  const mark = textOf("-I");
  return assessInner(mark === undefined ? [...inner, found] : withFound(inner, mark, found));
}

/** The names as xargs reads them; undefined when they are not known, or separated by something else. */
function foundNames(
  input: FoundArg | undefined,
  separator: FoundArg["separator"],
  delimiter: string | undefined,
): FoundArg | undefined {
  if (input === undefined || (delimiter !== undefined && !/^(?:\\n|\n)$/.test(delimiter))) return undefined;
  if ((input.separator === "none") !== (separator === "none")) return undefined;
  return { ...input, separator };
}
