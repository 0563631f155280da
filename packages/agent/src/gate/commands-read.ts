import { readRisk, writeRisk } from "./file-access.ts";
import { editing, highestRisk, printable, type Risk, reading, unclear } from "./risk.ts";
import { assessArgs, type Invocation, plainArgs, type Rule, reader } from "./rule.ts";
import { isHarmlessSed } from "./sed-script.ts";
import type { ShellArg } from "./shell-arg.ts";
import { anyWord } from "./word-list.ts";

const files = reader();
const texts = reader({ hasTextOnly: true, hasTextOptions: true });
/** Options with the pattern as value, also abbreviated: then every operand is a file. */
const grepPattern = /^-[A-Za-z\d]*[ef]|^--[rf]/;
const findTestNames = anyWord(`
  name iname path ipath wholename iwholename regex iregex regextype type maxdepth mindepth not and or a o size empty
  newer mtime mmin ctime cmin atime amin perm user group print print0 printf prune quit ls depth xdev mount true
  false links readable writable executable L H P
`);
const findTests = new RegExp(`^-${findTestNames}$`);
const sortFlags = anyWord("reverse unique numeric-sort human-numeric-sort version-sort ignore-case stable");
const sortOptions = new RegExp(String.raw`^-[bdfghinrRuVsz\d]+$|^-[kt]|^--${sortFlags}$|^--(?:key|field-separator)=`);
const testUnary = /^-[efdsrwxznLh]$/;
const testBinary = /^(?:=|==|!=|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;

/** Programs that only read, as long as their options do. */
export const readingCommands: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...[
    "cat",
    "head",
    "tail",
    "wc",
    "ls",
    "nl",
    "tac",
    "rev",
    "comm",
    "paste",
    "fold",
    "expand",
    "cmp",
    "diff",
    "stat",
    "du",
    "od",
  ].map((name): [string, Rule] => [name, files]),
  ...["realpath", "readlink", "cksum", "md5sum", "sha1sum", "sha256sum", "sha512sum", "hexdump", "column"].map(
    (name): [string, Rule] => [name, files],
  ),
  ...[
    "true",
    "false",
    ":",
    "pwd",
    "basename",
    "dirname",
    "seq",
    "sleep",
    "uname",
    "nproc",
    "which",
    "type",
    "tr",
    "exit",
    "wait",
  ].map((name): [string, Rule] => [name, texts]),
  ["cut", reader({ hasTextOptions: true })],
  ["echo", () => reading], // the expansions in its arguments are assessed before
  ["printf", printf],
  ["test", ({ args }) => test(args)],
  ["[", ({ args }) => (isPlain(args.at(-1), "]") ? test(args.slice(0, -1)) : unclear("Has a test without an end."))],
  ["grep", grep],
  ["egrep", grep],
  ["fgrep", grep],
  ["rg", ripgrep],
  ["find", find],
  ["sed", sed],
  ["awk", awk],
  [
    "sort",
    reader({
      options: sortOptions,
      hasTextOptions: true,
    }),
  ],
  ["uniq", reader({ options: /^-[cdDiuz\d]+$|^-[fsw]\d*$|^--(?:count|repeated|unique|ignore-case)$/, maxOperands: 1 })],
  [
    "jq",
    reader({
      options: /^-[rcSesnjaMC]+$|^--(?:raw-output|compact-output|sort-keys|slurp|null-input|exit-status|tab)$/,
      texts: 1,
    }),
  ],
  ["date", date],
  ["file", reader({ options: /^-[bihLr]+$|^--(?:brief|mime|mime-type)$/ })],
  ["tree", reader({ options: /^-[adfilspughDFrtvCn]+$|^-[LIP]$|^--(?:noreport|dirsfirst|gitignore|prune)$/ })],
  [
    "set",
    ({ args }) =>
      plainArgs(args)?.every((arg) => /^[-+][eux]*o?$|^pipefail$/.test(arg)) === true
        ? reading
        : unclear("Changes how the shell works."),
  ],
]);

const dateOptions = /^-[uIR]+$|^-(?:Iseconds|d)$|^--(?:utc|iso-8601(?:=\w+)?|rfc-3339=\w+|date=.*)$/;

/** With a bare number as operand it sets the clock. */
function date(invocation: Invocation): Risk {
  const setsClock = invocation.args.some((arg, at, all) => /^\d/.test(arg.value) && all[at - 1]?.value !== "-d");
  if (setsClock) return unclear("Sets the clock.");
  return assessArgs(
    invocation,
    { options: dateOptions, hasTextOnly: true, hasTextOptions: true },
    { fileRisk: readRisk, lowest: reading },
  );
}

function isPlain(arg: ShellArg | undefined, value: string): boolean {
  return arg?.type === "plain" && arg.value === value;
}

function printf({ args }: Invocation): Risk {
  const [first] = args;
  return first?.type === "plain" && !first.value.startsWith("-")
    ? reading
    : unclear("Prints in a format that is known only when it runs.");
}

/** A subscript in an operand of `-v` is evaluated, so only tests of a known shape will do. */
function test(args: readonly ShellArg[]): Risk {
  const operands = isPlain(args[0], "!") ? args.slice(1) : args;
  const [first, second] = operands;
  const isKnown =
    (operands.length === 2 && first?.type === "plain" && testUnary.test(first.value)) ||
    (operands.length === 3 && second?.type === "plain" && testBinary.test(second.value));
  const isWhole = operands.every((arg) => arg.type !== "glob" && (arg.type !== "dynamic" || arg.isQuoted));
  return isKnown && isWhole ? reading : unclear("Has a test that is not understood.");
}

function grep(invocation: Invocation): Risk {
  const hasPatternOption = invocation.args.some((arg) => arg.type === "plain" && grepPattern.test(arg.value));
  return assessArgs(invocation, { texts: hasPatternOption ? 0 : 1 }, { fileRisk: readRisk, lowest: reading });
}

const rgLongOptions = anyWord(`
  files hidden no-ignore no-ignore-vcs type type-not glob iglob ignore-case smart-case case-sensitive line-number
  no-line-number count count-matches files-with-matches files-without-match word-regexp line-regexp fixed-strings
  invert-match only-matching multiline multiline-dotall pcre2 max-count max-depth context after-context
  before-context heading no-heading with-filename no-filename color colors column json vimgrep sort sortr stats trim
  null replace regexp max-columns text quiet unrestricted follow no-messages type-list
`);
const rgOptions = new RegExp(String.raw`^-[A-Za-y\d]+$|^-[ABCMdgjmrtTEe].*$|^--${rgLongOptions}(?:=.*)?$`);

function ripgrep(invocation: Invocation): Risk {
  const hasPattern = !invocation.args.some(
    (arg) => arg.type === "plain" && /^-[A-Za-z]*[ef]|^--(?:regexp|file|files|type-list)/.test(arg.value),
  );
  return assessArgs(
    invocation,
    { options: rgOptions, texts: hasPattern ? 1 : 0 },
    { fileRisk: readRisk, lowest: reading },
  );
}

function find({ args, scope }: Invocation): Risk {
  const risks: Risk[] = [];
  let isPath = true;
  for (const arg of args) {
    if (arg.type === "dynamic")
      return unclear(`What ${printable(arg.value)} makes find do is known only when it runs.`);
    if (arg.type === "glob" && arg.prefix === "")
      return unclear(`A file found by ${printable(arg.value)} could be taken for an option of find.`);
    if (arg.type === "plain" && arg.value.startsWith("-") && !/^-\d/.test(arg.value)) {
      if (!findTests.test(arg.value))
        return unclear(`find would do ${printable(arg.value)}, which can run, write or delete.`);
      isPath = isPath && /^-[LHP]$/.test(arg.value);
    } else if (arg.type === "plain" && /^[!(),]$/.test(arg.value)) isPath = false;
    else if (isPath) risks.push(readRisk(scope, arg));
  }
  return highestRisk(risks);
}

function sed({ args, scope }: Invocation): Risk {
  const risks: Risk[] = [];
  const operands: ShellArg[] = [];
  const scripts: (ShellArg | undefined)[] = [];
  let isInPlace = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as ShellArg; // `at` is within
    if (arg.type !== "plain" || !arg.value.startsWith("-") || arg.value === "-") operands.push(arg);
    else if (arg.value === "-e") scripts.push(args[++at]);
    else if (/^(?:-i|--in-place)$/.test(arg.value)) isInPlace = true;
    else if (!/^(?:-[nErsuz]+|--(?:quiet|silent|regexp-extended|debug|posix|separate))$/.test(arg.value))
      return unclear(`The effect of the option ${printable(arg.value)} of sed is not known.`);
  }
  const all = scripts.length === 0 ? [operands.shift()] : scripts;
  for (const script of all) {
    if (script?.type !== "plain" && script?.type !== "glob")
      return unclear("The script of sed is known only when it runs.");
    if (script.type === "glob" || !isHarmlessSed(script.value))
      return unclear(`The sed script ${printable(script.value)} may run commands or write files.`);
  }
  for (const operand of operands) {
    if (operand.type === "glob" && operand.prefix === "")
      return unclear(`A file found by ${printable(operand.value)} could be taken for an option of sed.`);
    risks.push((isInPlace ? writeRisk : readRisk)(scope, operand));
  }
  return highestRisk(risks, isInPlace ? editing : reading);
}

const awkReaches = /system|getline|[|>@]|ARG[VC]|ENVIRON/;

function awk({ args, scope }: Invocation): Risk {
  let at = 0;
  for (; at < args.length; at += 1) {
    const arg = args[at];
    if (arg?.type !== "plain" || !arg.value.startsWith("-")) break;
    if (arg.value === "-F" || arg.value === "-v") at += 1;
    else if (!/^-F./s.test(arg.value))
      return unclear(`The effect of the option ${printable(arg.value)} of awk is not known.`);
  }
  const program = args[at];
  if (args.slice(0, at).some((arg) => arg.type !== "plain") || program?.type !== "plain")
    return unclear("The program of awk is known only when it runs.");
  if (awkReaches.test(program.value))
    return unclear(`The awk program ${printable(program.value)} may run commands or write files.`);
  const rest = args.slice(at + 1);
  if (rest.some((arg) => arg.type === "glob" && arg.prefix === ""))
    return unclear("A file could be taken for an option of awk.");
  if (rest.some((arg) => arg.type === "plain" && arg.value.startsWith("-") && arg.value !== "-"))
    return unclear("awk has an option behind its program.");
  return highestRisk(rest.map((arg) => readRisk(scope, arg)));
}
