import type { Assignment, DoubleQuotedChild, Word, WordPart } from "unbash";

/** An argument of a shell command, as far as it is known before the command runs. */
export type ShellArg =
  | { readonly type: "plain"; readonly value: string }
  /** Starts in a home folder (`~`). */
  | { readonly type: "home"; readonly value: string }
  /** A file pattern; `prefix` is the text before the first wildcard. */
  | { readonly type: "glob"; readonly value: string; readonly prefix: string }
  /** Comes from a variable or a command; it is a single word only when quoted. */
  | { readonly type: "dynamic"; readonly value: string; readonly isQuoted: boolean };

const maxAlternatives = 64;

/** The arguments that a word expands to; undefined when the expansion is not understood. */
export function argsOf(word: Word): readonly ShellArg[] | undefined {
  const parts = word.parts;
  if (/^~|[=:]~/.test(word.text)) return [{ type: "home", value: word.value }];
  if (parts === undefined) return [{ type: "plain", value: word.value }];
  if (parts.some((part) => part.type === "BraceExpansion")) return expandBraces(parts);
  if (parts.some(isDynamic)) {
    const isQuoted =
      parts.every((part) => part.type === "DoubleQuoted" || !isDynamic(part)) &&
      !parts.some((part) => part.type === "Glob");
    return [{ type: "dynamic", value: word.text, isQuoted }];
  }
  const firstGlob = parts.findIndex((part) => part.type === "Glob");
  const texts = parts.map(plainText);
  if (texts.some((text) => text === undefined)) return undefined;
  const value = texts.join("");
  return [
    firstGlob < 0 ? { type: "plain", value } : { type: "glob", value, prefix: texts.slice(0, firstGlob).join("") },
  ];
}

/** The text of a word that expands to exactly one known argument; undefined otherwise. */
export function plainOf(word: Word): string | undefined {
  const args = argsOf(word);
  const [only] = args ?? [];
  return args?.length === 1 && only?.type === "plain" ? only.value : undefined;
}

/** An argument that looks like an assignment: only builtins of the shell treat it as one. */
export function assignmentArgs({ text, value }: Assignment): readonly ShellArg[] | undefined {
  if (value.type === "ArrayValue" || /[=:]~/.test(text)) return undefined;
  const inner = plainOf(value);
  if (inner === undefined || !text.endsWith(value.text)) return undefined;
  return [{ type: "plain", value: text.slice(0, text.length - value.text.length) + inner }];
}

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

function plainText(part: WordPart): string | undefined {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
    case "Glob":
      return part.value;
    case "DoubleQuoted":
      return part.parts.map((child) => (child.type === "Literal" ? child.value : "")).join("");
    default:
      return undefined;
  }
}

/** `src/{a,b}.ts` becomes two arguments. Understands only plain lists of plain names. */
function expandBraces(parts: readonly WordPart[]): readonly ShellArg[] | undefined {
  let words = [""];
  for (const part of parts) {
    const suffixes =
      part.type === "BraceExpansion" ? braceItems(part.text) : [part.type === "Literal" ? part.value : undefined];
    if (suffixes === undefined || suffixes.includes(undefined) || words.length * suffixes.length > maxAlternatives)
      return undefined;
    words = words.flatMap((word) => suffixes.map((suffix) => word + suffix));
  }
  return words.filter((word) => word !== "").map((value) => ({ type: "plain", value }));
}

function braceItems(braces: string): readonly (string | undefined)[] | undefined {
  const inner = /^\{([\w./@+-]*(?:,[\w./@+-]*)+)\}$/.exec(braces)?.[1];
  return inner?.split(",");
}
