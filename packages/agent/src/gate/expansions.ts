import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";
import { printable, type Risk, unclear } from "./risk.ts";

/** What is expanded inside a piece of a command line: the scripts it would run, and what is wrong with it otherwise. */
export interface Expansions {
  readonly scripts: readonly ParsedScript[];
  readonly problem?: Risk;
}

const sum = /^\$\(\([\d\s+*/%()<>=!&|^~?:-]*\)\)$/;
const harmless: ReadonlySet<string> = new Set(["-", ":-", "+", ":+", "#", "##", "%", "%%"]);

/** Looks through a word, an assignment or a here-document for everything that the shell would evaluate in it. */
export function expansionsIn(node: SyntaxNode): Expansions {
  const scripts: ParsedScript[] = [];
  let problem: Risk | undefined;
  const look = (part: SyntaxNode): void => {
    if (part.type === "CommandExpansion" && part.script !== undefined) {
      scripts.push(part.script);
      return;
    }
    problem ??= problemOf(part);
    if (problem === undefined && part.type !== "ArithmeticExpansion") forEachChild(part, look);
  };
  look(node);
  return problem === undefined ? { scripts } : { scripts, problem };
}

function problemOf(part: SyntaxNode): Risk | undefined {
  switch (part.type) {
    case "ProcessSubstitution":
      return unclear(`Uses process substitution (${printable(part.text)}).`);
    case "CommandExpansion":
      return unclear(`Runs something that cannot be read (${printable(part.text)}).`);
    case "LocaleString":
    case "ExtendedGlob":
      return unclear(`Uses a notation that is not understood here (${printable(part.text)}).`);
    case "ArithmeticExpansion":
      return sum.test(part.text)
        ? undefined
        : unclear(`Calculates with names, whose values can hold commands (${printable(part.text)}).`);
    case "ParameterExpansion": {
      const isPlain =
        part.prefix !== "!" &&
        part.index === undefined &&
        (part.operation === undefined || harmless.has(part.operation.operator));
      return isPlain && /^\w+$|^[?!#$@*-]$/.test(part.parameter)
        ? undefined
        : unclear(`Expands a variable in a way that is not understood here (${printable(part.text)}).`);
    }
    case "AnsiCQuoted":
      return hasControls(part.value) ? unclear(`Hides control characters in ${printable(part.text)}.`) : undefined;
    default:
      return undefined;
  }
}

/** Whether a text has control characters besides tab and line feed. */
export function hasControls(text: string): boolean {
  return /[^\P{Cc}\t\n]/u.test(text);
}
