import { widthOf } from "./width.ts";
import { wrap } from "./wrap.ts";

/** A word of a shell command, with its quoted parts and escaped characters. */
const shellWords = /(?:'[^']*'|\\.|[^\s'\\])+/g;

/**
 * A shell command in lines of at most `width` columns, to paste as it is: lines break between words, with a backslash.
 * A word that is longer than a line stays whole.
 */
export function commandLines(command: string, width: number): readonly string[] {
  if (widthOf(command) <= width || command.includes("$'")) return [command];
  const lines: string[] = [];
  let line = "";
  for (const word of command.match(shellWords) ?? []) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line === "" || widthOf(longer) <= width - 2) line = longer;
    else {
      lines.push(`${line} \\`);
      line = `  ${word}`;
    }
  }
  return [...lines, line];
}

/** A hint such as `To resume: <command>`. If it does not fit, the command starts on a line of its own. */
export function hintLines(hint: string, width: number): readonly string[] {
  if (widthOf(hint) <= width) return [hint];
  const start = hint.indexOf(": ") + 2;
  return [hint.slice(0, start - 1), ...commandLines(hint.slice(start), width - 2).map((line) => `  ${line}`)];
}

/** A sentence and a hint with a command: on one line if they fit. No line breaks within a word. */
export function sentenceWithCommand(sentence: string, hint: string, width: number): readonly string[] {
  const line = `${sentence} ${hint}`;
  if (widthOf(line) <= width) return [line];
  return [...sentenceLines(sentence, width), ...hintLines(hint, width)];
}

/** `width` may be infinite. */
export function sentenceLines(sentence: string, width: number): readonly string[] {
  return widthOf(sentence) <= width ? [sentence] : wrap(sentence, width);
}
