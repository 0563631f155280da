/** The words of a text for searching: letters and digits of any script, in lower case. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Every further word makes a search slower and changes the result little. */
const maxQueryWords = 64;

/** The words of a query that occur in at least one fact, without duplicates, up to a maximum. */
export function queryWords(query: string, isKnown: (word: string) => boolean): readonly string[] {
  const words: string[] = [];
  for (const word of new Set(wordsOf(query))) {
    if (words.length === maxQueryWords) break;
    if (isKnown(word)) words.push(word);
  }
  return words;
}
