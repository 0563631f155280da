import { forEachChild, type ParameterExpansionPart, type ParsedScript, type SyntaxNode } from "unbash";
import { printable, type Risk, unclear } from "../risk/risk.ts";
import { isNumber, type Variables } from "./variables.ts";

/** The expansions inside a part of a command line: the scripts it runs, and the first expansion not understood. */
export interface Expansions {
  readonly scripts: readonly ParsedScript[];
  /** The scripts whose output is passed as a file: `<(…)`. */
  readonly inputs: readonly ParsedScript[];
  readonly risk?: Risk;
}

const plainArithmetic = /^\$\(\([\d\s+*/%()<>=!&|^~?:-]*\)\)$/;
const harmlessOperators: ReadonlySet<string> = new Set([
  ...["-", ":-", "+", ":+", "?", ":?", "#", "##", "%", "%%", "/", "//", "/#", "/%", "^", "^^", ",", ",,"],
]);

/** Collects everything that the shell evaluates inside a word, an assignment or a here-document. */
export function expansionsIn(node: SyntaxNode, variables: Variables): Expansions {
  const scripts: ParsedScript[] = [];
  const inputs: ParsedScript[] = [];
  let risk: Risk | undefined;
  const visit = (part: SyntaxNode, isQuoted: boolean): void => {
    if (part.type === "CommandExpansion" && part.script !== undefined) {
      scripts.push(part.script);
      return;
    }
    const isInput = part.type === "ProcessSubstitution" && part.operator === "<";
    if (isInput && part.script !== undefined && part.script.commands.length > 0) {
      inputs.push(part.script);
      return;
    }
    risk ??= riskOf(part, variables, isQuoted);
    if (risk !== undefined || part.type === "ArithmeticExpansion") return;
    const quotes = isQuoted || part.type === "DoubleQuoted" || part.type === "HereDocBody";
    forEachChild(part, (child) => visit(child, quotes));
  };
  visit(node, false);
  return risk === undefined ? { scripts, inputs } : { scripts, inputs, risk };
}

function riskOf(part: SyntaxNode, variables: Variables, isQuoted: boolean): Risk | undefined {
  switch (part.type) {
    case "ProcessSubstitution":
      return unclear(`Uses process substitution (${printable(part.text)}).`, "process substitution");
    case "CommandExpansion":
      return unclear(`Runs something that cannot be parsed (${printable(part.text)}).`, "command substitution");
    case "LocaleString":
    case "ExtendedGlob":
      return unclear(`Uses a notation that is not understood (${printable(part.text)}).`, "unsupported syntax");
    case "ArithmeticExpansion":
      return calculatesNumbers(part.text, variables)
        ? undefined
        : unclear(
            `Calculates with variables, whose values can contain commands (${printable(part.text)}).`,
            "arithmetic",
          );
    case "ParameterExpansion": {
      const isPlain =
        part.prefix !== "!" &&
        part.index === undefined &&
        (part.operation === undefined ||
          harmlessOperators.has(part.operation.operator) ||
          isPlainSlice(part.operation));
      return isPlain && /^\w+$|^[?!#$@*-]$/.test(part.parameter) && hasPlainOperand(part, isQuoted)
        ? undefined
        : unclear(
            `Expands a variable in a way that is not understood (${printable(part.text)}).`,
            "unsupported syntax",
          );
    }
    case "AnsiCQuoted":
      if (/\\(?:x\{|\n|c)/.test(part.text))
        return unclear(`Uses an escape that is not understood (${printable(part.text)}).`, "unsupported syntax");
      return hasControls(part.value)
        ? unclear(`Hides control characters in ${printable(part.text)}.`, "hidden characters")
        : undefined;
    default:
      return undefined;
  }
}

/**
 * Between double quotes and in a here-document, single quotes in an operand are text, `$'…'` is not, and `<(…)` runs.
 * In `"$(…)"` bash expands what stands in `$'…'` even without quotes around the operand. A pattern that is replaced may
 * end elsewhere for bash than for a parser that looks for the first slash.
 */
function hasPlainOperand({ parameter, operation, text }: ParameterExpansionPart, isQuoted: boolean): boolean {
  const operand = text.slice("${".length + parameter.length, -1);
  if (!isQuoted && operation?.type !== "Replace") return !/\$['"]/.test(operand);
  return /^(?:(?![<>]\()[^$`'"\\{}]|\\[/.*?])*$/.test(operand);
}

/** Variables with other values than numbers would be evaluated as expressions; nothing may be assigned. */
function calculatesNumbers(text: string, variables: Variables): boolean {
  const withoutNames = text.replace(/\$?[A-Za-z_]\w*/g, (name) =>
    isNumber(variables, name.replace("$", "")) ? "1" : name,
  );
  return plainArithmetic.test(withoutNames) && (withoutNames === text || !/\+\+|--|(?<![=!<>])=(?!=)/.test(text));
}

/** `${x:0:7}`: other offsets are calculated, and their variables evaluated. */
function isPlainSlice(operation: NonNullable<ParameterExpansionPart["operation"]>): boolean {
  if (operation.type !== "Slice") return false;
  return [operation.offset.text, operation.length?.text ?? "0"].every((text) => /^\s*-?\d+$/.test(text));
}

/** Whether a text contains control characters other than tab and line feed. */
export function hasControls(text: string): boolean {
  return /[^\P{Cc}\t\n]/u.test(text);
}
