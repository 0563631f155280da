/** What a letter or digit tells of the word it is in; to be joined by `|` over its letters. */
export const DIGIT: number = 1 << 16;
const HEX = 2 << 16;
export const BEYOND_HEX: number = 4 << 16;
/** Takes the letter out of what the table gives. */
export const LETTER = 0xffff;

/**
 * All a scan asks of a character of ASCII, in one look-up: a letter or digit in lower case with what it tells, positive; a mark, negative; 0 for a blank.
 * Letters, digits, and all that is not ASCII make words.
 */
export const letters: Int32Array = Int32Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  if (code <= 32) return 0;
  if (!/[a-z\d]/.test(letter)) return letter === "'" || letter === "`" ? -34 : -code; // one kind of quote
  return letter.charCodeAt(0) | (/\d/.test(letter) ? DIGIT : /[a-f]/.test(letter) ? HEX : BEYOND_HEX);
});
