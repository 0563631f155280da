import { cut, widthOf } from "./width.ts";

/** Breaks a text between words into lines of at most `width` columns; a word longer than a line is cut. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter((each) => each !== "")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = cut(word, width);
  }
  return line === "" ? lines : [...lines, line];
}
