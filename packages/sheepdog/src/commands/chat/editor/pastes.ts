import { counted } from "../../../render/terminal/amounts.ts";

/** A paste with more lines is shown as one sign in the prompt, and sent whole. */
const MAX_SHOWN_LINES = 8;
/** One private character for each paste: the cursor cannot enter it, and a key deletes all of it. */
const FIRST_SIGN = 0xf0000;
const MAX_SIGNS = 256;
const signs = /[\u{f0000}-\u{f00ff}]/gu;

/** Removes characters that would look like the sign of a paste. */
export function withoutSigns(text: string): string {
  return text.replace(signs, "");
}

/** The sign of the next paste; undefined if the text is short enough to be shown. */
export function signFor(text: string, pastes: readonly string[]): string | undefined {
  const isLong = text.split("\n").length > MAX_SHOWN_LINES;
  return isLong && pastes.length < MAX_SIGNS ? String.fromCodePoint(FIRST_SIGN + pastes.length) : undefined;
}

/** The text with every sign replaced by its paste. */
export function expandPastes(text: string, pastes: readonly string[]): string {
  return text.replace(signs, (sign) => pasteOf(sign, pastes));
}

/** What the prompt shows in place of a character: the size of a paste, or the character itself. */
export function shownCharacter(character: string, pastes: readonly string[]): string {
  if (character.search(signs) < 0) return character;
  const lines = pasteOf(character, pastes).replace(/\n$/, "").split("\n").length;
  return `[${counted(lines, "line")} pasted]`;
}

function pasteOf(sign: string, pastes: readonly string[]): string {
  return pastes[(sign.codePointAt(0) ?? 0) - FIRST_SIGN] ?? "";
}
