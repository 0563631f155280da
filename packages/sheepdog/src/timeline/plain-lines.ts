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

function broken(line: string, width: number): string[] {
  if (!isWider(line, width)) return [line];
  const indent = " ".repeat(Math.min(line.length - line.trimStart().length, Math.floor(width / 2)));
  const lines: string[] = [];
  let current = indent;
  for (const word of line.trimStart().split(/(?<= )(?=[^ ])/)) {
    if (isWider(current + word.trimEnd(), width) && current !== indent) {
      lines.push(current.trimEnd());
      current = indent;
    }
    current += word;
    while (isWider(current.trimEnd(), width)) {
      const head = fitting(current, width);
      lines.push(head);
      current = indent + current.slice(head.length);
    }
  }
  return current.trim() === "" ? lines : [...lines, current.trimEnd()];
}

/** As much of the beginning as fits, one character at least. */
function fitting(text: string, width: number): string {
  let head = "";
  let used = 0;
  for (const character of graphemes(text)) {
    used += widthOf(character);
    if (head.trim() !== "" && used > width) break;
    head += character;
  }
  return head;
}
