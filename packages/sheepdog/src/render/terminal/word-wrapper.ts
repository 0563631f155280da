import { widthOf } from "./width.ts";

/** Breaks a text between words while it arrives in pieces. */
export interface WordWrapper {
  /** What can be printed now. A word is held back only while it may still fit into the line. */
  push(piece: string): string;
  /** What was held back. The next piece starts on a new line. */
  end(): string;
}

/** Tabs count as this many columns. */
const TAB = " ".repeat(8);

/**
 * Lines get at most `columns()` columns. A longer word stays whole, and the terminal breaks it. Code stays as it is, so
 * that users can copy it: lines between two ``` lines, and lines that start with a tab or four spaces.
 */
export function createWordWrapper(columns: () => number): WordWrapper {
  let lineStart = ""; // the first characters of the line as it was written, which tell code from prose
  let column = 0;
  let spaces = "";
  let word = "";
  let isWordOpen = false; // the first part of the word is printed
  let isFenced = false;

  const widthWith = (text: string) => column + widthOf(text.replaceAll("\t", TAB));
  const isFirstWord = () => lineStart.trim() === "";
  const isCode = () => isFenced || /^(?:\t| {4})/.test(lineStart + spaces);
  const mustBreak = () =>
    !isWordOpen && !isFirstWord() && !isCode() && word !== "" && widthWith(spaces + word) > columns();

  function release(): string {
    const isBroken = mustBreak();
    const text = spaces + word;
    column = isBroken ? widthOf(word) : widthWith(text);
    lineStart = (lineStart + text).slice(0, TAB.length);
    const printed = isBroken ? `\n${word}` : text;
    spaces = "";
    word = "";
    return printed;
  }

  function startLine(): void {
    lineStart = "";
    column = 0;
    isWordOpen = false;
  }

  function take(token: string): string {
    if (token === "\n") {
      const rest = release();
      if (lineStart.trimStart().startsWith("```")) isFenced = !isFenced;
      startLine();
      return `${rest}\n`;
    }
    if (/^[ \t]/.test(token)) {
      const rest = word === "" ? "" : release();
      isWordOpen = false;
      spaces += token;
      return rest;
    }
    word += token;
    if (!isWordOpen && !isFirstWord() && !isCode() && !mustBreak()) return "";
    const part = release();
    isWordOpen = true;
    return part;
  }

  return {
    push: (piece) => (piece.match(/\n|[ \t]+|[^ \t\n]+/g) ?? []).map(take).join(""),
    end() {
      const rest = release();
      startLine();
      isFenced = false;
      return rest;
    },
  };
}
