import {
  type ArithmeticFor,
  type Assignment,
  type CommandArgument,
  type For,
  forEachChild,
  type SyntaxNode,
  type While,
} from "unbash";
import type { ShellArg } from "../command/shell-arg.ts";
import { readRisk } from "../files/file-access.ts";
import { matchingPaths } from "../files/file-pattern.ts";
import { isFreeVariable } from "../programs/free-variables.ts";
import { staysPlainUnquoted } from "../programs/unquoted-words.ts";
import { highestRisk, printable, type Risk, reading, unclear } from "../risk/risk.ts";
import { countingVariable } from "./counting-loop.ts";
import { alternativesOf, plainOf } from "./expand-word.ts";
import { nested, type Shell } from "./shell.ts";
import { substitutedNames } from "./substituted-names.ts";
import {
  assign,
  isNumber,
  type TextValue,
  type Variables,
  type VariableValue,
  valueOfArgs,
  wholeWord,
} from "./variables.ts";
import { wordRisk } from "./word-risk.ts";

/**
 * The risk of a loop. What its body assigns is forgotten before it is judged, since the body may have run before: then
 * judging it once covers every round.
 */
export function assessLoop(node: For | While | ArithmeticFor, shell: Shell): Risk {
  const counting = node.type === "ArithmeticFor" ? countingVariable(node) : undefined;
  if (counting !== undefined) shell.variables = assign(shell.variables, counting, { isNumber: true });
  if (node.type === "While" && startsInBackground(node))
    return unclear("Starts commands in the background in a loop without an end.", "too complex");
  shell.budget.hasOtherOrder = true;
  shell.variables = withoutAssigned(node, shell.variables);
  const inner = nested(shell);
  const risks: Risk[] = [];
  if (node.type === "ArithmeticFor" && (counting === undefined || !inner.variables.has(counting)))
    return unclear("Calculates with variables, whose values can contain commands.", "arithmetic");
  if (node.type === "For") risks.push(bindLoopVariable(node, inner));
  else if (node.type === "While") risks.push(shell.assessList(node.clause.commands, inner));
  risks.push(shell.assessList(node.body.commands, inner));
  return highestRisk(risks);
}

/** A fork bomb is such a loop. */
function startsInBackground(node: SyntaxNode): boolean {
  let isFound = node.type === "Statement" && node.background === true;
  forEachChild(node, (child) => {
    isFound ||= startsInBackground(child);
  });
  return isFound;
}

function bindLoopVariable(node: For, inner: Shell): Risk {
  const name = plainOf(node.name) ?? "";
  if (!isFreeVariable(name))
    return unclear(`Sets the variable ${printable(name)}, which can change what commands do.`, "environment injection");
  const words = node.wordlist ?? [];
  const [only, ...others] = words;
  const found = only === undefined || others.length > 0 ? undefined : substitutedNames(only, inner);
  if (only !== undefined && found !== undefined) {
    inner.variables = assign(inner.variables, name, { found: { ...found, value: `$${name}` } });
    return wordRisk(only, inner);
  }
  if (only !== undefined && others.length === 0 && /^\$\(seq [\d ]+\)$/.test(only.text)) {
    inner.variables = assign(inner.variables, name, { isNumber: true });
    return wordRisk(only, inner);
  }
  const alternatives = words.map((word) => alternativesOf(word, inner.variables));
  const args = alternatives.every((lists) => lists !== undefined) ? alternatives.flat(2) : [];
  const value = hasHiddenOption(args, inner) ? undefined : wholeNames(valueOfArgs(args), args, inner);
  inner.variables = assign(inner.variables, name, value);
  return highestRisk([
    ...words.map((word) => wordRisk(word, inner)),
    ...alternatives.flat(2).map((arg) => (arg === undefined ? reading : listedRisk(arg, inner))),
  ]);
}

/** The body may print the names that the list of a loop finds. */
function listedRisk(arg: ShellArg, shell: Shell): Risk {
  if (arg.type === "home" || (arg.type === "glob" && arg.isOne !== true)) return readRisk(shell, arg);
  return arg.type === "dynamic" && !arg.isQuoted && !staysPlainUnquoted(arg.value)
    ? unclear(`What ${printable(arg.value)} finds is known only when it runs.`, "dynamic argument")
    : reading;
}

/** A name such as `-o` in a folder becomes an option when the folder in front of it is removed: `${f##*\/}`. */
function hasHiddenOption(args: readonly ShellArg[], { folders }: Shell): boolean {
  return args.some(
    (arg) =>
      arg.type === "glob" &&
      folders.some((folder) => matchingPaths(folder, arg.pattern)?.some((path) => path.includes("/-")) ?? true),
  );
}

/** Files that a pattern finds need no quotes when none of their names has a space or the like. */
function wholeNames(value: VariableValue | undefined, args: readonly ShellArg[], shell: Shell): typeof value {
  if (value === undefined || !("texts" in value) || shell.changes.hasOddNames) return value;
  const isWhole = args.every(
    (arg) =>
      arg.type !== "glob" ||
      shell.folders.every((folder) => matchingPaths(folder, arg.pattern)?.every((path) => wholeWord.test(path))),
  );
  return isWhole
    ? { texts: value.texts.map((text): TextValue => ({ ...text, isWhole: isWholePattern(text) })) }
    : value;
}

const isWholePattern = ({ text, pattern, isWhole }: TextValue): boolean =>
  isWhole || (/[*?]/.test(pattern) && /^[\w./@%+=:,*?[\]-]+$/.test(text));

function withoutAssigned(node: SyntaxNode, variables: Variables): Variables {
  if (variables.size === 0) return variables;
  const assigned = new Set<string>();
  const calculated = new Set<string>();
  const visit = (part: SyntaxNode): void => {
    if (part.type === "Assignment") (isCalculation(part) ? calculated : assigned).add(part.name);
    if (part.type === "For") assigned.add(part.name.text);
    if (part.type === "Command" && /^(?:read|export|unset)$/.test(part.name?.value ?? ""))
      for (const name of ["REPLY", ...part.args.map(assignedName)]) assigned.add(name);
    forEachChild(part, visit);
  };
  visit(node);
  const kept = [...variables].filter(([name]) => !assigned.has(name));
  return new Map(
    kept.flatMap(([name, value]): readonly (readonly [string, VariableValue])[] => {
      if (!calculated.has(name)) return [[name, value]];
      return isNumber(variables, name) ? [[name, { isNumber: true }]] : [];
    }),
  );
}

/** The variable that an argument of `read` or `export` names, however it is quoted. */
function assignedName(arg: CommandArgument): string {
  return arg.type === "Assignment" ? arg.name : (/^[A-Za-z_]\w*/.exec(arg.value)?.[0] ?? "");
}

const isCalculation = ({ value, append, index }: Assignment): boolean =>
  value.type === "Word" && append !== true && index === undefined && /^\$\(\([^()]*\)\)$|^\d+$/.test(value.text);
