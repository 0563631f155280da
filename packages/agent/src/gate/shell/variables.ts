import type { ParameterExpansionPart, SimpleExpansionPart } from "unbash";
import type { FoundArg, ShellArg } from "../command/shell-arg.ts";
import { escapePattern, matchesText } from "../files/file-pattern.ts";

/** A text that the shell neither splits nor takes for a pattern when it is not quoted. */
export const wholeWord: RegExp = /^[\w./@%+=:,-]+$/;

/** A text, or any text that matches a pattern: then `text` is how the pattern is written. */
export interface TextValue {
  readonly text: string;
  readonly pattern: string;
  /** The shell neither splits it nor takes it for a pattern when it is not quoted. */
  readonly isWhole: boolean;
}

/** The value of a plain text. */
export function plainText(text: string): TextValue {
  return { text, pattern: escapePattern(text), isWhole: wholeWord.test(text) };
}

/** The value of one text and another behind it. */
export function joinTexts(one: TextValue, other: TextValue): TextValue {
  return {
    text: one.text + other.text,
    pattern: one.pattern + other.pattern,
    isWhole: one.isWhole && other.isWhole,
  };
}

/** What a variable may hold: one of some texts, a file that a search finds, or some number. */
export type VariableValue =
  | { readonly texts: readonly TextValue[] }
  | { readonly found: FoundArg }
  | { readonly isNumber: true };

/** The variables whose values are known. All others may hold anything. */
export type Variables = ReadonlyMap<string, VariableValue>;

const maxValues = 64;
const maxTextLength = 4_096;

/** Whether a variable holds a number in any case. */
export function isNumber(variables: Variables, name: string): boolean {
  const value = variables.get(name);
  if (value === undefined || "found" in value) return false;
  return "isNumber" in value || value.texts.every(({ text }) => /^(?:0|[1-9]\d{0,14})$/.test(text));
}

/** The variables after an assignment; without known values the variable is forgotten. */
export function assign(variables: Variables, name: string, value: VariableValue | undefined): Variables {
  const next = new Map(variables);
  const isTooLarge = value !== undefined && "texts" in value && isLarge(value.texts);
  if (value === undefined || isTooLarge) next.delete(name);
  else next.set(name, value);
  return next;
}

function isLarge(texts: readonly TextValue[]): boolean {
  return texts.length > maxValues || texts.some(({ text }) => text.length > maxTextLength);
}

/** What is known where two ways meet: the values of both, of variables that both know. */
export function joinVariables(one: Variables, other: Variables): Variables {
  if (one === other) return one;
  const joined = new Map<string, VariableValue>();
  for (const [name, value] of one) {
    const otherValue = other.get(name);
    if (otherValue === value) joined.set(name, value);
    else if (otherValue !== undefined && "texts" in value && "texts" in otherValue) {
      const texts = [...new Map([...value.texts, ...otherValue.texts].map((text) => [text.pattern, text])).values()];
      if (texts.length <= maxValues) joined.set(name, { texts });
    }
  }
  return joined;
}

/** The value of a variable that is assigned these arguments, one at a time. */
export function valueOfArgs(args: readonly ShellArg[]): VariableValue | undefined {
  const [first] = args;
  if (first?.type === "found" && args.length === 1) return { found: first };
  const texts = args.flatMap((arg): readonly TextValue[] => {
    if (arg.type === "plain") return [plainText(arg.value)];
    return arg.type === "glob" ? [{ text: arg.value, pattern: arg.pattern, isWhole: false }] : [];
  });
  return texts.length === args.length && texts.length > 0 ? { texts } : undefined;
}

/** The possible values of `$x` or `${x…}`; undefined when they are not known. */
export function valuesOfExpansion(
  part: SimpleExpansionPart | ParameterExpansionPart,
  variables: Variables,
  { isQuoted }: { readonly isQuoted: boolean },
): readonly TextValue[] | undefined {
  const name = part.type === "SimpleExpansion" ? part.text.slice(1) : part.parameter;
  const value = variables.get(name);
  if (value === undefined || !("texts" in value)) return undefined;
  if (part.type === "ParameterExpansion" && (part.prefix !== undefined || part.index !== undefined)) return undefined;
  const operation = part.type === "ParameterExpansion" ? part.operation : undefined;
  const texts = value.texts.map((text) => (operation === undefined ? text : applyOperation(text, operation)));
  const known = texts.flatMap((text) => (text === undefined ? [] : [text]));
  if (known.length < texts.length) return undefined;
  return isQuoted || known.every(({ isWhole }) => isWhole) ? known : undefined;
}

type Operation = NonNullable<ParameterExpansionPart["operation"]>;

function applyOperation(value: TextValue, operation: Operation): TextValue | undefined {
  const isText = value.pattern === escapePattern(value.text);
  if (operation.type === "Default") {
    const isKept = /^:?[-?]$/.test(operation.operator) && isText && value.text !== "";
    return isKept ? value : undefined;
  }
  if (value.text.length > maxTextLength) return undefined;
  if (operation.type !== "Remove" || !/^[\w.*/-]+$/.test(operation.operand.text)) return undefined;
  const removed = isText
    ? removeFromText(value.text, operation.operator, operation.operand.text)
    : removeFromPattern(value.pattern, operation.operator, operation.operand.text);
  if (removed === undefined) return undefined;
  return isText ? plainText(removed) : { text: removed, pattern: removed, isWhole: value.isWhole };
}

/** `${x%.ts}` and its relatives: the shortest or longest start or end that matches is removed. */
function removeFromText(text: string, operator: string, pattern: string): string {
  const lengths = Array.from({ length: text.length + 1 }, (_, length) => length);
  const isLongest = operator.length === 2;
  for (const length of isLongest ? lengths.reverse() : lengths) {
    const isStart = operator.startsWith("#");
    const piece = isStart ? text.slice(0, length) : text.slice(text.length - length);
    if (matchesText(pattern, piece)) return isStart ? text.slice(length) : text.slice(0, text.length - length);
  }
  return text;
}

/** The same for a value that is only known as a pattern, where the result is certain. */
function removeFromPattern(pattern: string, operator: string, removed: string): string | undefined {
  if (operator === "##" && removed === "*/") return pattern.slice(pattern.lastIndexOf("/") + 1);
  if (operator === "#" && !/[*]/.test(removed) && pattern.startsWith(removed)) {
    const rest = pattern.slice(removed.length);
    // inside of a name a wildcard stands for a dot, too: at its start it would not
    return /^[*?]/.test(rest) && !removed.endsWith("/") ? undefined : rest;
  }
  if (!operator.startsWith("%")) return undefined;
  if (!/[*]/.test(removed)) return pattern.endsWith(removed) ? pattern.slice(0, -removed.length) : undefined;
  if (operator === "%" && removed === "/*" && pattern.includes("/")) return pattern.slice(0, pattern.lastIndexOf("/"));
  const [extension] = /\.\w+$/.exec(pattern) ?? [];
  return operator === "%" && removed === ".*" && extension !== undefined
    ? pattern.slice(0, -extension.length)
    : undefined;
}
