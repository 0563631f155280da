import type { Assignment, DoubleQuotedChild, Word, WordPart } from "unbash";
import type { FoundArg, ShellArg } from "../command/shell-arg.ts";
import { escapePattern } from "../files/file-pattern.ts";
import { printsNumber } from "./prints-number.ts";
import { isNumber, joinTexts, plainText, type TextValue, type Variables, valuesOfExpansion } from "./variables.ts";

const maxAlternatives = 64;
/** The file that stands for `<(…)`; the command inside is judged on its own. */
const processInput = "/dev/fd/63";

/** The lists of arguments that a word may expand to; undefined when the expansion is not understood. */
export function alternativesOf(word: Word, variables: Variables): readonly (readonly ShellArg[])[] | undefined {
  const parts = word.parts;
  if (/^~|[=:]~/.test(word.text)) return [[{ type: "home", value: word.value }]];
  if (parts === undefined) return [[{ type: "plain", value: word.value }]];
  if (hasBraces(parts) && parts.some(isDynamic)) return undefined; // braces are expanded first
  if (parts.length > 1 && parts.some(({ type }) => type === "ProcessSubstitution")) return undefined;
  const found = foundValue(parts, variables);
  if (found !== undefined) return found.map((arg) => [arg]);
  let alternatives: readonly (readonly TextValue[])[] = [[emptyText]];
  for (const part of parts) {
    const next = extend(alternatives, part, variables);
    if (next === "dynamic") return hasBraces(parts) ? undefined : [[dynamicArg(word, variables)]];
    if (next === undefined || next.length * (next[0]?.length ?? 0) > maxAlternatives) return undefined;
    alternatives = next;
  }
  const isQuoted = parts.some((part) => part.type !== "BraceExpansion" && part.type !== "Literal");
  const isOne = !parts.some(({ type }) => type === "Glob");
  const toOne = (arg: ShellArg): ShellArg => (isOne && arg.type === "glob" ? { ...arg, isOne } : arg);
  return alternatives.map((texts) =>
    texts
      .filter(({ text }) => text !== "" || isQuoted)
      .map(toArg)
      .map(toOne),
  );
}

/** The text of a word that expands to exactly one known argument; undefined otherwise. */
export function plainOf(word: Word, variables: Variables = new Map()): string | undefined {
  const [args, ...others] = alternativesOf(word, variables) ?? [];
  const [only] = args ?? [];
  return others.length === 0 && args?.length === 1 && only?.type === "plain" ? only.value : undefined;
}

/** An argument that looks like an assignment: only builtins of the shell treat it as one. */
export function assignmentAlternatives(
  { text, value }: Assignment,
  variables: Variables,
): readonly (readonly ShellArg[])[] | undefined {
  if (value.type === "ArrayValue" || /[=:]~/.test(text) || !text.endsWith(value.text)) return undefined;
  const start = text.slice(0, text.length - value.text.length);
  const values = alternativesOf(value, variables);
  return values?.map(([first, ...others]): readonly ShellArg[] => {
    if (first === undefined) return [{ type: "plain", value: start }];
    if (first.type === "plain" && others.length === 0) return [{ type: "plain", value: start + first.value }];
    return [{ type: "dynamic", value: text, isQuoted: first.type === "dynamic" && first.isQuoted }];
  });
}

/** A variable that holds the names that a search finds: only on its own, or with a text behind it. */
function foundValue(parts: readonly WordPart[], variables: Variables): readonly FoundArg[] | undefined {
  const [only] = parts;
  const child = parts.length === 1 && only?.type === "DoubleQuoted" && only.parts.length === 1 ? only.parts[0] : only;
  if (child === undefined || parts.length !== 1) return undefined;
  const name = /^\$\{?(\w+)\}?$/.exec(child.text)?.[1];
  const value = name === undefined ? undefined : variables.get(name);
  if (value === undefined || !("found" in value)) return undefined;
  const isQuoted = only?.type === "DoubleQuoted";
  return [isQuoted ? value.found : { ...value.found, separator: "word" }];
}

function extend(
  alternatives: readonly (readonly TextValue[])[],
  part: WordPart,
  variables: Variables,
): readonly (readonly TextValue[])[] | "dynamic" | undefined {
  if (part.type === "BraceExpansion") {
    const items = braceItems(part.text);
    return items === undefined ? undefined : alternatives.map((args) => args.flatMap((arg) => items.map(joined(arg))));
  }
  const values = valuesOfPart(part, variables);
  if (values === "dynamic" || values === undefined) return values;
  return alternatives.flatMap((args) => values.map((value) => args.map((arg) => joined(arg)(value))));
}

/** The start of every word; unlike an empty value it can be left out of quotes. */
const emptyText: TextValue = { text: "", pattern: "", isWhole: true };
const joined = (one: TextValue) => (other: TextValue) => joinTexts(one, other);

function valuesOfPart(part: WordPart, variables: Variables): readonly TextValue[] | "dynamic" | undefined {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [plainText(part.value)];
    case "Glob":
      // a bracket counts as any character, except that one with a slash is no pattern
      if (part.kind !== "bracket") return [globText(part.value, part.kind === "star" ? "*" : "?")];
      return /[/$`]/.test(part.text) ? "dynamic" : [globText(part.value, "?")];
    case "DoubleQuoted":
      return quotedValues(part.parts, variables);
    case "SimpleExpansion":
    case "ParameterExpansion":
      return valuesOfExpansion(part, variables, { isQuoted: false }) ?? "dynamic";
    case "CommandExpansion":
    case "ArithmeticExpansion":
      return "dynamic";
    case "ProcessSubstitution":
      return part.operator === "<" ? [plainText(processInput)] : "dynamic";
    default:
      return undefined;
  }
}

function quotedValues(children: readonly DoubleQuotedChild[], variables: Variables): readonly TextValue[] | "dynamic" {
  let values: readonly TextValue[] = [emptyText];
  for (const child of children) {
    if (child.type === "CommandExpansion" || child.type === "ArithmeticExpansion") return "dynamic";
    const next =
      child.type === "Literal" ? [plainText(child.value)] : valuesOfExpansion(child, variables, { isQuoted: true });
    if (next === undefined || values.length * next.length > maxAlternatives) return "dynamic";
    values = values.flatMap((value) => next.map(joined(value)));
  }
  return values;
}

const globText = (text: string, pattern: string): TextValue => ({ text, pattern, isWhole: false });

function toArg({ text, pattern }: TextValue): ShellArg {
  if (pattern === escapePattern(text)) return text.startsWith("~/") ? homeArg(text) : { type: "plain", value: text };
  const literal = /^(?:\\[\s\S]|[^*?\\])*/.exec(pattern)?.[0] ?? "";
  return { type: "glob", value: text, prefix: literal.replace(/\\([\s\S])/g, "$1"), pattern };
}

const homeArg = (value: string): ShellArg => ({ type: "home", value });

/** A number is a single word without quotes, too. */
function dynamicArg(word: Word, variables: Variables): ShellArg {
  const parts = word.parts ?? [];
  const isNumeric = (part: WordPart): boolean =>
    /^\$[?#$!]$|^\$\(\(/.test(part.text) ||
    printsNumber(part) ||
    isNumber(variables, part.text.replace(/^\$\{?|\}$/g, ""));
  const isQuoted =
    parts.every((part) => part.type === "DoubleQuoted" || !isDynamic(part) || isNumeric(part)) &&
    !parts.some((part) => part.type === "Glob");
  return { type: "dynamic", value: word.text, isQuoted };
}

const hasBraces = (parts: readonly WordPart[]): boolean => parts.some((part) => part.type === "BraceExpansion");

function isDynamic(part: WordPart | DoubleQuotedChild): boolean {
  switch (part.type) {
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.some(isDynamic);
    case "Glob":
      return part.parts?.some(isDynamic) ?? false;
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
    case "ProcessSubstitution":
      return true;
    default:
      return false;
  }
}

/** The texts of `{a,b}` and `{1..5}`; undefined when they are not plain. */
function braceItems(braces: string): readonly TextValue[] | undefined {
  const list = /^\{([\w./@+-]*(?:,[\w./@+-]*)+)\}$/.exec(braces)?.[1];
  if (list !== undefined) return list.split(",").map(plainText);
  const [, from, to] = /^\{(\d{1,4})\.\.(\d{1,4})\}$/.exec(braces) ?? [];
  if (from === undefined || to === undefined || /^0\d/.test(from + to)) return undefined;
  const first = Number(from);
  const count = Number(to) - first + 1;
  if (count < 1 || count > maxAlternatives) return undefined;
  return Array.from({ length: count }, (_, index) => plainText(String(first + index)));
}
