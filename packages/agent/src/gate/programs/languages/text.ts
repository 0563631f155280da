import type { ShellArg } from "../../command/shell-arg.ts";
import { accessRisk, mayFind, mayFindOption, readRisk } from "../../files/file-access.ts";
import { beyond, editing, highestRisk, printable, type Risk, reading, unclear } from "../../risk/risk.ts";
import { optionSpec, sortArgs } from "../options.ts";
import { type Invocation, type ProgramRule, valueRisks } from "../program-rule.ts";
import { awkEffects } from "./awk-program.ts";
import { jqReach } from "./jq-program.ts";
import { isHarmlessSed } from "./sed-script.ts";

/** Programs with a small language of their own: the program is read as well. */
export const textCommands: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  ["sed", sed],
  ["gsed", sed],
  ["awk", awk],
  ["gawk", awk],
  ["mawk", awk],
  ["nawk", awk],
  ["jq", jq],
  ["yq", yq],
]);

// -l takes a value on some systems only
const sedOptions = optionSpec(`-nErsuz -e: -i? --quiet --silent --regexp-extended --debug --posix --separate
  --null-data --expression: --in-place? --line-length: --unbuffered --help --version`);

function sed(invocation: Invocation): Risk {
  const sorted = sortArgs(invocation, sedOptions);
  if ("tier" in sorted) return sorted;
  const oddSuffix = invocation.args.find((arg) => /^(?:-\w*?i|--in-place=)[\s\S]*[^\w.~-]/.test(arg.value));
  const isInPlace = sorted.options.has("-i") || sorted.options.has("--in-place");
  if (isInPlace && oddSuffix !== undefined)
    return unclear(`The effect of the option ${printable(oddSuffix.value)} of sed is not known.`, "unknown option");
  const given = sorted.values.flatMap(({ option, arg }) => (/^(?:-e|--expression)$/.test(option) ? [arg] : []));
  const [first, ...others] = sorted.operands;
  const scripts = given.length > 0 ? given : [first];
  if (sorted.options.has("--version") || sorted.options.has("--help")) return reading;
  for (const script of scripts) {
    if (script?.type !== "plain") return unclear("The script of sed is known only when it runs.", "dynamic argument");
    if (!isHarmlessSed(script.value))
      return unclear(
        `The sed script ${printable(script.value)} may run commands or write files.`,
        "program in a script",
      );
  }
  const files = given.length > 0 ? sorted.operands : others;
  const suffix = invocation.args.flatMap(({ value }) => /^(?:-\w*?i|--in-place=)(.+)$/.exec(value)?.[1] ?? [])[0] ?? "";
  const copies = files.flatMap((file): readonly ShellArg[] =>
    isInPlace && suffix !== "" && file.type === "plain" ? [{ type: "plain", value: file.value + suffix }] : [],
  );
  const isOddSuffix = suffix !== "" && !/^[.~]/.test(suffix);
  if (isInPlace && isOddSuffix)
    return unclear("The copies that sed makes get names that are not clear.", "unknown option");
  const risks = [...files, ...copies].map((file) => accessRisk(invocation.scope, file, isInPlace ? "write" : "read"));
  return highestRisk(risks, isInPlace ? editing : reading);
}

const awkOptions = optionSpec("-F: -v: --field-separator: --assign: --csv --posix --re-interval --version --help");

function awk(invocation: Invocation): Risk {
  const { args, scope } = invocation;
  const at = programIndex(args);
  const sorted = sortArgs({ ...invocation, args: args.slice(0, at) }, awkOptions);
  if ("tier" in sorted) return sorted;
  if (sorted.options.has("--version")) return reading;
  const program = args[at];
  if (program?.type !== "plain") return unclear("The program of awk is known only when it runs.", "dynamic argument");
  const effects = awkEffects(program.value);
  if ("problem" in effects)
    return unclear(`The awk program ${printable(program.value)} ${effects.problem}.`, "program in a script");
  const rest = args.slice(at + 1);
  if (rest.some((arg) => arg.type === "glob" && mayFindOption(scope, arg)))
    return unclear("A file could be taken for an option of awk.", "option from a file name");
  if (rest.some((arg) => arg.type === "plain" && /^-./.test(arg.value)))
    return unclear("awk has an option behind its program.", "unknown option");
  const writes = effects.writes.map((value) => accessRisk(scope, { type: "plain", value }, "write"));
  const isAssignment = (arg: ShellArg): boolean => arg.type === "plain" && /^[A-Za-z_]\w*=/.test(arg.value);
  return highestRisk([
    ...writes,
    ...valueRisks(scope, sorted),
    ...rest.filter((arg) => !isAssignment(arg)).map((arg) => readRisk(scope, arg)),
  ]);
}

/** The index of the first argument that is neither an option nor its value. */
function programIndex(args: readonly ShellArg[]): number {
  for (let at = 0; at < args.length; at += 1) {
    const { value } = args[at] as ShellArg; // `at` is within
    if (value === "--") return at + 1;
    if (/^(?:-F|-v|--field-separator|--assign)$/.test(value)) at += 1;
    else if (!/^-./.test(value)) return at;
  }
  return args.length;
}

const jqOptions = optionSpec(`-rcSesnjaMCR --raw-output --raw-output0 --compact-output --sort-keys --slurp --null-input
  --exit-status --tab --raw-input --join-output --ascii-output --color-output --monochrome-output --indent: --stream
  --stream-errors --seq --unbuffered --args --jsonargs --arg: --argjson: --slurpfile: --rawfile: --argfile: -h -V --help
  --version --build-configuration`);

function jq(invocation: Invocation): Risk {
  const { scope } = invocation;
  const named = namedValues(invocation.args);
  const unknown = named.values.find((arg) => arg.type !== "plain" && !(arg.type === "dynamic" && arg.isQuoted));
  if (unknown !== undefined)
    return unclear(`What ${printable(unknown.value)} stands for is known only when it runs.`, "dynamic argument");
  const sorted = sortArgs({ ...invocation, args: named.rest }, jqOptions);
  if ("tier" in sorted) return sorted;
  const [program, ...files] = sorted.operands;
  if (program === undefined) return reading;
  if (program.type !== "plain" && !(program.type === "glob" && !mayFind(scope, program)))
    return unclear("The program of jq is known only when it runs.", "dynamic argument");
  const word = jqReach(program.value);
  if (word !== undefined)
    return /env/i.test(word)
      ? beyond("The jq program shows the environment, which may contain secrets.", "environment disclosure")
      : unclear(`The jq program uses ${printable(word)}, which reads other files.`, "program in a script");
  return highestRisk([...named.files, ...files].map((arg) => readRisk(scope, arg))); // also those before `--args`
}

/** `--arg name text` and `--slurpfile name file` take two values. */
function namedValues(args: readonly ShellArg[]): {
  readonly rest: readonly ShellArg[];
  readonly values: readonly ShellArg[];
  readonly files: readonly ShellArg[];
} {
  const rest: ShellArg[] = [];
  const values: ShellArg[] = [];
  const files: ShellArg[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as ShellArg; // `at` is within
    const [, kind] = /^--(arg|argjson|slurpfile|rawfile|argfile)$/.exec(arg.value) ?? [];
    if (kind === undefined || arg.type !== "plain") rest.push(arg);
    else {
      const value = args[at + 2];
      values.push(...args.slice(at + 1, at + 3));
      if (value !== undefined && kind.endsWith("file")) files.push(value);
      at += 2;
    }
  }
  return { rest, values, files };
}

const yqOptions = optionSpec("-rcjPney -o: -p: --output-format: --input-format: --raw-output --prettyPrint -I: -C -M");

/** Only reads, without the functions that load files or show the environment. */
function yq(invocation: Invocation): Risk {
  const sorted = sortArgs(invocation, yqOptions);
  if ("tier" in sorted) return sorted;
  const operands = /^(?:e|ea|eval|eval-all)$/.test(sorted.operands[0]?.value ?? "")
    ? sorted.operands.slice(1)
    : sorted.operands;
  const [, ...files] = operands;
  if (operands.some(({ value }) => /\benv|load|eval|strenv|system|import|include/i.test(value)))
    return unclear("The yq program may read other files or the environment.", "program in a script");
  return highestRisk(files.map((arg) => readRisk(invocation.scope, arg)));
}
