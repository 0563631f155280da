import { stripVTControlCharacters } from "node:util";

/** Runs of spaces, of control characters that are left, and of marks that turn the direction of writing around. */
const unprintable = /[\s\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Text from a recording as one line that is safe to print: it can neither move the cursor nor disguise itself. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(unprintable, " ").trim();
}
