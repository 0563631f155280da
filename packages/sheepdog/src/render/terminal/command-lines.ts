import { widthOf } from "./width.ts";

/** A word of a shell command, with its quoted parts. */
const shellWords = /(?:'[^']*'|[^\s'])+/g;

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
