import type { Fact, MemoryStore } from "./stores.ts";
import { questionWords, wordsOf } from "./words.ts";

interface Kept {
  readonly row: string;
  readonly at: number;
  readonly words: ReadonlySet<string>;
}

/** Facts in memory, found by their words: a rare word says more than one that is everywhere. */
export function createFacts(): MemoryStore {
  const facts = new Map<string, Kept>(); // by text and tags
  let last = 0;
  const holding = new Map<string, number>(); // how many facts have a word
  return {
    async write({ at, text, tags }) {
      const key = JSON.stringify([text, tags]);
      const known = facts.get(key);
      if (known !== undefined) return factOf(known);
      const words = new Set(wordsOf(`${text} ${tags.join(" ")}`));
      const fact = { row: JSON.stringify({ id: `fact_${++last}`, at, text, tags } satisfies Fact), at, words };
      facts.set(key, fact);
      for (const word of words) holding.set(word, (holding.get(word) ?? 0) + 1);
      return factOf(fact);
    },
    async search(query, limit) {
      const asked = questionWords(query, (word) => holding.has(word));
      const weight = (word: string) => Math.log(1 + facts.size / (holding.get(word) ?? 1));
      const score = ({ words }: Kept) => asked.reduce((sum, word) => (words.has(word) ? sum + weight(word) : sum), 0);
      return [...facts.values()]
        .map((fact) => ({ fact, score: score(fact) }))
        .filter((found) => found.score > 0)
        .sort((one, other) => other.score - one.score || other.fact.at - one.fact.at)
        .slice(0, Math.max(0, limit))
        .map(({ fact }) => factOf(fact));
    },
    list: async () =>
      [...facts.values()].map(factOf).sort((one, other) => other.at - one.at || numberOf(other) - numberOf(one)),
    async remove(id) {
      const found = [...facts].find(([, fact]) => factOf(fact).id === id);
      if (found === undefined) return false;
      const [key, { words }] = found;
      facts.delete(key);
      for (const word of words) {
        const left = (holding.get(word) ?? 1) - 1;
        if (left === 0) holding.delete(word);
        else holding.set(word, left);
      }
      return true;
    },
  };
}

function numberOf({ id }: Fact): number {
  return Number(id.slice("fact_".length));
}

function factOf({ row }: Kept): Fact {
  return JSON.parse(row) as Fact; // what was written here
}
