/** A seeded source of words, names and numbers: the same seed gives the same text. */
export interface Writer {
  /** A whole number from 0 up to, but not including, the limit. */
  below(limit: number): number;
  /** A word; a few are frequent and most are rare, as in real text. */
  word(): string;
  /** An identifier in camelCase. */
  name(): string;
  path(): string;
  /** Sixteen hex digits. */
  id(): string;
  /** An ISO time. */
  time(): string;
}

const wordCount = 20_000;
const startMs = Date.UTC(2026, 0, 1);

export function createWriter(seed: number): Writer {
  let state = seed >>> 0 || 1;
  let clockMs = startMs;
  const next = (): number => {
    // xorshift32
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const word = (): string => vocabulary[Math.floor(wordCount ** next()) - 1] ?? "word"; // log-uniform rank: Zipf's law
  const name = (): string => word() + capital(word());
  return {
    below,
    word,
    name,
    path: () => `src/${word()}/${word()}/${name()}.ts`,
    id: () =>
      below(2 ** 32)
        .toString(16)
        .padStart(8, "0") +
      below(2 ** 32)
        .toString(16)
        .padStart(8, "0"),
    time: () => {
      clockMs += below(5_000);
      return new Date(clockMs).toISOString();
    },
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const syllables = [
  ..."ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo za".split(" "),
  ..."bra cle dri fro gru pla ste tri con ment tion al er in".split(" "),
];

/** Word number n spells n in syllables, so all words differ and frequent words are short. */
const vocabulary: readonly string[] = Array.from({ length: wordCount }, (_, n) => {
  let word = "";
  for (let rest = n + 1; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return word;
});
