import { fit, widthOf } from "../../render/terminal/width.ts";

/** A text with the function that colours it. */
export interface PaintedText {
  readonly text: string;
  readonly paint: (text: string) => string;
}

/** A line with its width: colours take no columns. */
export interface PaintedLine {
  readonly text: string;
  readonly width: number;
}

/** Breaks coloured texts into at most `maxLines` lines of `width` columns. A long word is broken, too. */
export function paintedLines(
  parts: readonly PaintedText[],
  { width, maxLines }: { readonly width: number; readonly maxLines: number },
): readonly PaintedLine[] {
  const lines: PaintedLine[] = [];
  let line: PaintedLine = { text: "", width: 0 };
  const add = (text: string, paint: PaintedText["paint"]) => {
    line = { text: line.text + paint(text), width: line.width + widthOf(text) };
  };
  let hasSpace = false;
  const end = () => {
    lines.push(line);
    line = { text: "", width: 0 };
    hasSpace = false;
  };
  for (const { text, paint } of parts)
    for (const word of text.match(/\s+|\S+/g) ?? []) {
      if (word.trim() === "") {
        hasSpace = line.width > 0;
        continue;
      }
      const space = hasSpace ? 1 : 0;
      if (line.width > 0 && line.width + space + widthOf(word) > width) end();
      if (hasSpace) add(" ", paint);
      hasSpace = false;
      for (const piece of pieces(word, width)) {
        if (line.width > 0 && line.width + widthOf(piece) > width) end();
        add(piece, paint);
      }
    }
  if (line.width > 0) end();
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines - 1), { text: "…", width: 1 }];
}

/** A word in pieces that fit. */
function pieces(word: string, width: number): readonly string[] {
  if (widthOf(word) <= width) return [word];
  const all: string[] = [];
  let piece = "";
  for (const character of word) {
    if (widthOf(piece + character) > width) {
      all.push(piece);
      piece = "";
    }
    piece += character;
  }
  return piece === "" ? all : [...all, piece];
}

/** Two columns of lines side by side. */
export function besideEachOther(
  left: readonly PaintedLine[],
  right: readonly PaintedLine[],
  width: number,
): readonly string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    const cell = left[index] ?? { text: "", width: 0 };
    return `${cell.text}${fit("", Math.max(0, width - cell.width))}${right[index]?.text ?? ""}`.trimEnd();
  });
}
