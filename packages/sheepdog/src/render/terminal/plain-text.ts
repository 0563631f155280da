import { stripVTControlCharacters } from "node:util";

const ESC = "\u001b";
const BEL = "\u0007";
/** Sequences that carry a text with them: titles, links, commands to the device. One that never ends is over with its line. */
const strings = new RegExp(
  `(?:${ESC}[PX\\]^_]|[\u0090\u0098\u009d-\u009f])[^${BEL}${ESC}\u009c\n]*(?:${BEL}|${ESC}\\\\|\u009c)?`,
  "g",
);
/** What nobody sees, and what makes two words look like one. */
const hidden = /[\u00ad\u180e\u200b\u2060-\u2065\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Runs of spaces, of control characters that are left, and of marks that turn the direction of writing around. */
const unprintable = /[\s\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Text from a recording as one line that is safe to print: it can neither move the cursor nor disguise itself. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.replace(strings, "")).replace(hidden, "").replace(unprintable, " ").trim();
}
