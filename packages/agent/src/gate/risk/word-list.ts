/** Splits a text into its words: tables of names are written as text. */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** The source of a regular expression that matches one of the words; a word may be a pattern itself. */
export function anyWord(text: string): string {
  return `(?:${wordList(text).join("|")})`;
}
