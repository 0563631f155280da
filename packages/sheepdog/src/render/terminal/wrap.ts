import { widthOf } from "./width.ts";

/** Breaks a text between words into lines of `width` columns. A longer word stays whole: users copy paths and ids. */
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
    line = word;
  }
  return line === "" ? lines : [...lines, line];
}
