import { graphemes } from "../terminal/graphemes.ts";
import { isWider, widthOf } from "../terminal/width.ts";
import { createControlStripper } from "./control-stripper.ts";

/** Untrusted text of several lines that is safe to print: it cannot move the cursor or disguise itself. */
export function plainBlock(text: string): string {
  return createControlStripper().push(text).replaceAll("\t", "  ");
}

/**
 * The same as lines of at most `width` columns. Lines break between words if possible, and the parts of a broken line
 * keep its indentation. No text is lost.
 */
export function plainLines(text: string, width: number): string[] {
  return plainBlock(text)
    .trimEnd()
    .split("\n")
    .flatMap((line) => breakLine(line.trimEnd(), width));
}

/** Takes linear time, however long the line and its words are. */
function breakLine(line: string, width: number): string[] {
  if (!isWider(line, width)) return [line];
  const text = line.trimStart();
  const indent = " ".repeat(Math.min(line.length - text.length, Math.floor(width / 2)));
  const lines: string[] = [];
  let current = indent;
  let used = indent.length;
  const endLine = () => {
    if (used > indent.length) lines.push(current.trimEnd());
    current = indent;
    used = indent.length;
  };
  const append = (piece: string, columns: number) => {
    if (used + columns > width) endLine();
    current += piece;
    used += columns;
  };
  for (const [, word = "", spaces = ""] of text.matchAll(/([^ ]+)( *)/g)) {
    const columns = widthOf(word);
    if (indent.length + columns <= width) append(word, columns);
    else {
      endLine(); // a word that has to be broken starts on a line of its own
      for (const character of graphemes(word)) append(character, widthOf(character));
    }
    current += spaces.slice(0, width);
    used += spaces.length;
  }
  if (current.trim() !== "") lines.push(current.trimEnd());
  return lines;
}
