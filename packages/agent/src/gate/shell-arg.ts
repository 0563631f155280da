import type { Assignment, DoubleQuotedChild, Word, WordPart } from "unbash";

/** A word of a command line, as far as it is known before it runs. */
export type ShellArg =
  | { readonly type: "plain"; readonly value: string }
  /** Begins in somebody's home folder. */
  | { readonly type: "home"; readonly value: string }
  /** Names of files; `prefix` is what they begin with. */
  | { readonly type: "glob"; readonly value: string; readonly prefix: string }
  /** Comes from a variable or a command; a single word only where it is quoted. */
  | { readonly type: "open"; readonly value: string; readonly isQuoted: boolean };

const maxAlternatives = 64;

/** What the shell makes of a word; undefined where that is not understood. */
export function argsOf(word: Word): readonly ShellArg[] | undefined {
  const parts = word.parts;
  if (/^~|[=:]~/.test(word.text)) return [{ type: "home", value: word.value }];
  if (parts === undefined) return [{ type: "plain", value: word.value }];
  if (parts.some((part) => part.type === "BraceExpansion")) return alternatives(parts);
  if (parts.some(isOpen)) {
    const isQuoted =
      parts.every((part) => part.type === "DoubleQuoted" || !isOpen(part)) &&
      !parts.some((part) => part.type === "Glob");
    return [{ type: "open", value: word.text, isQuoted }];
  }
  const first = parts.findIndex((part) => part.type === "Glob");
  const texts = parts.map(plainText);
  if (texts.some((text) => text === undefined)) return undefined;
  const value = texts.join("");
  return [first < 0 ? { type: "plain", value } : { type: "glob", value, prefix: texts.slice(0, first).join("") }];
}

/** The one known text of a word; undefined where there is none or it is not known. */
export function plainOf(word: Word): string | undefined {
  const args = argsOf(word);
  const [only] = args ?? [];
  return args?.length === 1 && only?.type === "plain" ? only.value : undefined;
}

/** An argument that looks like an assignment is a word like others, to all commands but those of the shell. */
export function assignmentArg({ text, value }: Assignment): ShellArg | undefined {
  if (value.type === "ArrayValue" || /[=:]~/.test(text)) return undefined;
  const inner = plainOf(value);
  return inner === undefined || !text.endsWith(value.text)
    ? undefined
    : { type: "plain", value: text.slice(0, text.length - value.text.length) + inner };
}

function isOpen(part: WordPart | DoubleQuotedChild): boolean {
  switch (part.type) {
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.some(isOpen);
    case "Glob":
      return part.parts?.some(isOpen) ?? false;
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

/** `src/{a,b}.ts` as two words. Only plain lists of plain names are understood. */
function alternatives(parts: readonly WordPart[]): readonly ShellArg[] | undefined {
  let words = [""];
  for (const part of parts) {
    const ends =
      part.type === "BraceExpansion" ? listed(part.text) : [part.type === "Literal" ? part.value : undefined];
    if (ends === undefined || ends.includes(undefined) || words.length * ends.length > maxAlternatives)
      return undefined;
    words = words.flatMap((word) => ends.map((end) => word + end));
  }
  return words.filter((word) => word !== "").map((value) => ({ type: "plain", value }));
}

function listed(braces: string): readonly (string | undefined)[] | undefined {
  const inner = /^\{([\w./@+-]*(?:,[\w./@+-]*)+)\}$/.exec(braces)?.[1];
  return inner?.split(",");
}
