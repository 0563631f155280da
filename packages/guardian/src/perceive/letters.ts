/** What a letter or digit tells of the word it is in; to be joined by `|` over its letters. */
export const DIGIT: number = 1 << 16;
const HEX = 2 << 16;
export const BEYOND_HEX: number = 4 << 16;
/** Takes the letter out of what `letterAt` gives. */
export const LETTER = 0xffff;

/** What `letterAt` gives for each character of ASCII. */
export const letters: Int32Array = Int32Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  return /[a-z\d]/.test(letter) ? letter.charCodeAt(0) | (/\d/.test(letter) ? DIGIT : /[a-f]/.test(letter) ? HEX : BEYOND_HEX) : 0;
});

/**
 * The letter or digit at a place of a text, in lower case as far as ASCII goes, with what it tells; 0 where a word ends.
 * Letters, digits, and all that is not ASCII make words. One look-up for all a scan asks of a character.
 */
export function letterAt(text: string, i: number): number {
  if (i >= text.length) return 0;
  const code = text.charCodeAt(i);
  return code < 128 ? (letters[code] as number) : code | BEYOND_HEX; // in bounds by the comparison
}
