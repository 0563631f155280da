import type { Fact, MemoryStore } from "./stores.ts";
import { wordsOf } from "./words.ts";

interface Kept {
  readonly row: string;
  readonly at: number;
  readonly words: ReadonlySet<string>;
}

/** Facts in memory, found by their words: a rare word says more than one that is everywhere. */
export function createFacts(): MemoryStore {
  const facts: Kept[] = [];
  const holding = new Map<string, number>(); // how many facts have a word
  return {
    async write(fact) {
      const { at, text, tags } = fact;
      const written: Fact = { id: `fact_${facts.length + 1}`, at, text, tags: [...tags] };
      const words = new Set(wordsOf(`${text} ${tags.join(" ")}`));
      facts.push({ row: JSON.stringify(written), at, words });
      for (const word of words) holding.set(word, (holding.get(word) ?? 0) + 1);
      return written;
    },
    async search(query, limit) {
      const asked = [...new Set(wordsOf(query))].filter((word) => holding.has(word));
      const weight = (word: string) => Math.log(1 + facts.length / (holding.get(word) ?? 1));
      const score = ({ words }: Kept) => asked.reduce((sum, word) => (words.has(word) ? sum + weight(word) : sum), 0);
      return facts
        .map((fact) => ({ fact, score: score(fact) }))
        .filter((found) => found.score > 0)
        .sort((one, other) => other.score - one.score || other.fact.at - one.fact.at)
        .slice(0, Math.max(0, limit))
        .map(({ fact }) => JSON.parse(fact.row) as Fact); // what was written here
    },
  };
}
