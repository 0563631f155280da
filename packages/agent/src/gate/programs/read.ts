import type { ShellArg } from "../command/shell-arg.ts";
import { readRisk } from "../files/file-access.ts";
import { beyond, highestRisk, printable, type Risk, reading, unclear } from "../risk/risk.ts";
import { wordList } from "../risk/word-list.ts";
import { isHarmlessVariable } from "./free-variables.ts";
import { type Invocation, type ProgramRule, plainArgs, reader, type Usage } from "./program-rule.ts";
import { fileReaders, textReaders } from "./read-options.ts";
import { staysPlainUnquoted } from "./unquoted-words.ts";

/** Programs and builtins whose arguments are never files or options that matter. */
const harmless = wordList("true false : pwd exit break continue return shift logout");

const readers = Object.entries(fileReaders).map(([name, usage]): [string, ProgramRule] => [
  name,
  reader(usageOf(usage)),
]);
const texts = Object.entries(textReaders).map(([name, usage]): [string, ProgramRule] => {
  const rule = reader({ ...usageOf(usage), operands: "none" });
  return [name, (invocation) => highestRisk([rule(invocation), printed(invocation)])];
});

function usageOf(usage: string | Usage): Usage {
  return typeof usage === "string" ? { options: `${usage} --help --version` } : usage;
}

const testUnary = /^-[abcdefghknoprstuwxzGLNOS]$/;
const testBinary = /^(?:=|==|!=|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;

const setOptions = /^[-+][euxfv]*o?$|^(?:pipefail|errexit|nounset|xtrace)$/;

/** Programs that only read, as long as their options do. */
export const readingCommands: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  ...readers,
  ...texts,
  ...harmless.map((name): [string, ProgramRule] => [name, () => reading]),
  ["egrep", readers.find(([name]) => name === "grep")?.[1] ?? reader()],
  ["fgrep", readers.find(([name]) => name === "grep")?.[1] ?? reader()],
  ["echo", printed], // the expansions in its arguments are assessed before
  ["yes", printed],
  ["sleep", printed], // it complains about each name that is no number
  ["wait", wait],
  ["ulimit", limits],
  ["expr", () => reading],
  ["printf", printf],
  ["test", ({ args }) => test(args)],
  [
    "[",
    ({ args }) =>
      isPlain(args.at(-1), "]") ? test(args.slice(0, -1)) : unclear("Has a test without an end.", "syntax error"),
  ],
  ["date", date],
  ["ps", ps],
  ["xxd", xxd],
  ["tree", tree],
  ["printenv", printenv],
  ["ss", reader({ options: "-tulnpaH4", maxOperands: 0 })],
  ["lsof", reader({ options: "-tnPF -i?", operands: "none", maxOperands: 1 })],
  ["unset", unset],
  ["javap", javap],
  [
    "numfmt",
    reader({ options: "--to: --from: --suffix: --field: --padding: --format: --round: -d:", operands: "none" }),
  ],
  ["bc", reader({ options: "-lqsiw --mathlib --quiet --standard" })],
  ["openssl", openssl],
  [
    "set",
    ({ args }) => {
      if (args.length === 0) return beyond("Shows all variables, which may contain secrets.", "environment disclosure");
      const isKnown = plainArgs(args)?.every((arg) => setOptions.test(arg)) === true;
      return isKnown ? reading : unclear("Changes how the shell works.", "eval");
    },
  ],
]);

const dateUsage = reader({
  options: "-uRjn -I? -d: -r< -v: --utc --universal --iso-8601? --rfc-3339: --rfc-email --date: --reference<",
  operands: "none",
});

/** With a bare number as operand it sets the clock. */
function date(invocation: Invocation): Risk {
  const setsClock = invocation.args.some(
    (arg, at, all) => /^\d/.test(arg.value) && !/^-[dv]$/.test(all[at - 1]?.value ?? ""),
  );
  return setsClock ? unclear("Sets the clock.", "system change") : dateUsage(invocation);
}

const javapUsage = reader({ options: "-pcvlsh -cp< -classpath< --module: -private -public -package -protected" });

/** An operand may be an address on another machine, and a class path may name several folders. */
function javap(invocation: Invocation): Risk {
  return invocation.args.some(({ value }) => value.includes(":"))
    ? beyond("javap would read from another machine or from several folders.", "network access")
    : javapUsage(invocation);
}

/** Options with a dash that ps never takes for those without, of which `e` shows the environment of processes. */
const psOptions = /^-[AadefFlyjLHMZcw]*(?:[opuUCgGst]|o[\w,=%]+)?$/;

function ps({ args }: Invocation): Risk {
  const words = plainArgs(args) ?? ["?"];
  const isKnown = words.every((word) => /^-[\w,=%]+$|^--[\w-]+(?:=[\w,%+-]*)?$|^[\w,:%+=-]+$/.test(word));
  const isFormat = (at: number): boolean => /^-?\w*[oOk]$/.test(words[at - 1] ?? "");
  const needsValue = (word = ""): boolean => /^-\w*[opuUCgGst]$/.test(word);
  const isUsual =
    words.every((word, at) => psOptions.test(word) || word.startsWith("--") || needsValue(words[at - 1])) &&
    !needsValue(words.at(-1));
  const hasE = words.some((word, at) => /^-?\w*e/i.test(word) && !isFormat(at));
  return isKnown && (isUsual || !hasE) && !words.some((word) => word.includes("environ"))
    ? reading
    : unclear("ps may show the environment of other processes.", "environment disclosure");
}

const xxdUsage = reader({ options: "-abBCdeEiprRu -c: -g: -l: -o: -s: -n:", maxOperands: 1 });

/** Its letters cannot be joined: `-ps` is one option. An option behind its operand is the file that it writes. */
function xxd(invocation: Invocation): Risk {
  const texts = invocation.args.map(({ value }) => value);
  const isOption = (text = ""): boolean => /^-./.test(text);
  const isLate = texts.some(
    (text, at) => at > 0 && isOption(text) && !isOption(texts[at - 1]) && !/^-[cglosn]$/.test(texts[at - 2] ?? ""),
  );
  return isLate || texts.some((text) => /^-[a-z].*[a-z]/i.test(text))
    ? unclear("The effect of these options of xxd is not known.", "unknown option")
    : xxdUsage(invocation);
}

const treeUsage = reader(usageOf(fileReaders["tree"] ?? ""));

/** A value is the next argument, and the letters behind `-L` are more options: `-Lo` writes a file. */
function tree(invocation: Invocation): Risk {
  return invocation.args.some(({ value }) => /^-[a-zA-Z]*[LIPHT].*\D/.test(value))
    ? unclear("The effect of these options of tree is not known.", "unknown option")
    : treeUsage(invocation);
}

/** Variables that hold no secrets. */
function printenv({ args }: Invocation): Risk {
  const isKnown =
    args.length > 0 && plainArgs(args)?.every((name) => /^(?:PATH|HOME|PWD|USER|LANG|SHELL|CI)$/.test(name));
  return isKnown === true
    ? reading
    : beyond("printenv shows the environment, which may contain secrets.", "environment disclosure");
}

/** The value is forgotten; a function cannot be defined here. */
function unset({ args }: Invocation): Risk {
  const isKnown =
    plainArgs(args)?.every((name, at) => (at === 0 && name === "-v") || isHarmlessVariable(name)) === true;
  return isKnown ? reading : unclear("unset changes what the shell does.", "eval");
}

function openssl({ args, scope }: Invocation): Risk {
  const words = plainArgs(args) ?? [];
  if (words[0] === "rand" && words.slice(1).every((word) => /^-(?:hex|base64)$|^\d+$/.test(word))) return reading;
  if (words[0] === "version") return reading;
  if (words[0] === "dgst" && words.slice(1).every((word) => /^-(?:sha\d+|md5|r|hex)$|^[^-]/.test(word)))
    return highestRisk(args.slice(1).map((arg) => (arg.value.startsWith("-") ? reading : readRisk(scope, arg))));
  return unclear("The effect of these arguments of openssl is not known.", "unknown option");
}

function isPlain(arg: ShellArg | undefined, value: string): boolean {
  return arg?.type === "plain" && arg.value === value;
}

/** A pattern of files shows their names; a text that is not quoted may be such a pattern. */
function printed({ args, scope }: Invocation): Risk {
  const unknown = args.find((arg) => arg.type === "dynamic" && !arg.isQuoted && !staysPlainUnquoted(arg.value));
  if (unknown !== undefined)
    return unclear(
      `Which files ${printable(unknown.value)} finds is known only when it runs; in quotes it would find none.`,
      "dynamic argument",
    );
  return highestRisk(
    args.filter((arg) => arg.type === "glob" && arg.isOne !== true).map((arg) => readRisk(scope, arg)),
  );
}

/** The name behind `-p` is evaluated. */
function wait({ args }: Invocation): Risk {
  const isKnown = args.every((arg) => /^(?:-n|-f|%?\d+|"?\$!"?)$/.test(arg.value));
  return isKnown ? reading : unclear("Waits for something that is known only when it runs.", "dynamic argument");
}

/** Shows limits; setting one changes the commands after it. */
function limits({ args }: Invocation): Risk {
  return plainArgs(args)?.every((word) => /^-[HSacdefilmnpqrstuvx]+$/.test(word)) === true
    ? reading
    : unclear("Changes the limits of the commands after it.", "eval");
}

/** `%n` sets a variable. */
function printf(invocation: Invocation): Risk {
  const [first] = invocation.args;
  const texts = invocation.args.map(({ value }) => value.replaceAll("%%", ""));
  const setsVariable = texts.slice(0, 2).some((text) => /%[-+ #0'*.\d]*[hlLjqtz]*n/.test(text));
  return first?.type === "plain" && (!first.value.startsWith("-") || first.value === "--") && !setsVariable
    ? printed(invocation)
    : unclear("Prints in a format that is known only when it runs.", "dynamic argument");
}

/** A subscript in an operand of `-v` is evaluated, so only tests of a known shape will do. */
function test(args: readonly ShellArg[]): Risk {
  const joint = args.findIndex((arg) => arg.type === "plain" && /^-[ao]$/.test(arg.value) && args.length > 3);
  if (joint > 0) return highestRisk([test(args.slice(0, joint)), test(args.slice(joint + 1))]);
  const operands = isPlain(args[0], "!") ? args.slice(1) : args;
  const [first, second] = operands;
  const isKnown =
    operands.length === 1 ||
    (operands.length === 2 && first?.type === "plain" && testUnary.test(first.value)) ||
    (operands.length === 3 && second?.type === "plain" && testBinary.test(second.value));
  const isWhole = operands.every((arg) => {
    if (arg.type === "glob") return arg.isOne === true;
    return arg.type !== "dynamic" || arg.isQuoted;
  });
  return isKnown && isWhole ? reading : unclear("Has a test that is not understood.", "unsupported syntax");
}
