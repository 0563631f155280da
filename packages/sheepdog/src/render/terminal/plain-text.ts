import { stripVTControlCharacters } from "node:util";

const ESC = "\u001b";
const BEL = "\u0007";
/** Sequences that contain text: titles, links, device commands. An unterminated sequence ends with its line. */
const stringSequences = new RegExp(
  `(?:${ESC}[PX\\]^_]|[\u0090\u0098\u009d-\u009f])[^${BEL}${ESC}\u009c\n]*(?:${BEL}|${ESC}\\\\|\u009c)?`,
  "g",
);
/** Invisible characters. */
const invisible = /[\u00ad\u180e\u200b\u2060-\u2065\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** White space, remaining control characters, and marks that change the direction of text. */
const unprintable = /[\s\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Remaining control characters except the end of a line, and marks that change the direction of text. */
const unprintableInLine = /[^\P{Cc}\n]|[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Untrusted text with its lines and their indentation: it cannot move the cursor or disguise itself. */
export function plainLines(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n").replaceAll("\t", "  ");
  const withoutSequences = stripVTControlCharacters(lines.replace(stringSequences, ""));
  return withoutSequences.replace(invisible, "").replace(unprintableInLine, " ");
}

/** Untrusted text as one line that is safe to print: it cannot move the cursor or disguise itself. */
export function plainText(text: string): string {
  const withoutSequences = stripVTControlCharacters(text.replace(stringSequences, ""));
  return withoutSequences.replace(invisible, "").replace(unprintable, " ").trim();
}
