import { graphemes } from "../terminal/graphemes.ts";
import { isWider, widthOf } from "../terminal/width.ts";
import { createStripper } from "./strip-controls.ts";

/** A text of several lines that is safe to print: it can neither move the cursor nor disguise itself. Spaces stay as they are. */
export function plainBlock(text: string): string {
  return createStripper().push(text).replaceAll("\t", "  ");
}

/** The same as lines of at most `width` columns, broken between words where that can be; further lines keep the indentation. Nothing is left out. */
export function plainLines(text: string, width: number): string[] {
  return plainBlock(text)
    .trimEnd()
    .split("\n")
    .flatMap((line) => broken(line.trimEnd(), width));
}

/** Looks at each character a few times at most, however long the line and its words are. */
function broken(line: string, width: number): string[] {
  if (!isWider(line, width)) return [line];
  const text = line.trimStart();
  const indent = " ".repeat(Math.min(line.length - text.length, Math.floor(width / 2)));
  const lines: string[] = [];
  let current = indent;
  let used = indent.length;
  const end = () => {
    if (used > indent.length) lines.push(current.trimEnd());
    current = indent;
    used = indent.length;
  };
  const put = (piece: string, columns: number) => {
    if (used + columns > width) end();
    current += piece;
    used += columns;
  };
  for (const [, word = "", spaces = ""] of text.matchAll(/([^ ]+)( *)/g)) {
    const columns = widthOf(word);
    if (indent.length + columns <= width) put(word, columns);
    else {
      end(); // a word that is broken anyway begins a line of its own
      for (const character of graphemes(word)) put(character, widthOf(character));
    }
    current += spaces.slice(0, width);
    used += spaces.length;
  }
  if (current.trim() !== "") lines.push(current.trimEnd());
  return lines;
}
