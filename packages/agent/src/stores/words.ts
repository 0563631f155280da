/** The words of a text for searching: letters and digits of any script, in small letters. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** How many words of a question are looked for: with each of them a search takes longer, and the next one would change little. */
const mostWords = 64;

/** The words of a question that are known, each once, the first of them where there are very many. */
export function questionWords(question: string, isKnown: (word: string) => boolean): readonly string[] {
  const found: string[] = [];
  for (const word of new Set(wordsOf(question))) {
    if (found.length === mostWords) break;
    if (isKnown(word)) found.push(word);
  }
  return found;
}
