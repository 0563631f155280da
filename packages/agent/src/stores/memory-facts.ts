import type { Fact, MemoryStore } from "./stores.ts";
import { queryWords, wordsOf } from "./words.ts";

/** Facts in memory, found by their words. A rare word counts more than a frequent one. */
export function createMemoryFacts(): MemoryStore {
  const facts = new Map<string, StoredFact>(); // by text and tags
  const factsPerWord = new Map<string, number>();
  let lastId = 0;
  return {
    async write({ at, text, tags }) {
      const key = JSON.stringify([text, tags]);
      const existing = facts.get(key);
      if (existing !== undefined) return parseFact(existing);
      lastId += 1;
      const words = new Set(wordsOf(`${text} ${tags.join(" ")}`));
      const fact = { json: JSON.stringify({ id: `fact_${lastId}`, at, text, tags } satisfies Fact), at, words };
      facts.set(key, fact);
      for (const word of words) factsPerWord.set(word, (factsPerWord.get(word) ?? 0) + 1);
      return parseFact(fact);
    },
    async search(query, limit) {
      const knownWords = queryWords(query, (word) => factsPerWord.has(word));
      const weight = (word: string) => Math.log(1 + facts.size / (factsPerWord.get(word) ?? 1));
      const scoreOf = ({ words }: StoredFact) =>
        knownWords.reduce((sum, word) => (words.has(word) ? sum + weight(word) : sum), 0);
      return [...facts.values()]
        .map((fact) => ({ fact, score: scoreOf(fact) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || b.fact.at - a.fact.at)
        .slice(0, Math.max(0, limit))
        .map(({ fact }) => parseFact(fact));
    },
    list: async () => [...facts.values()].map(parseFact).sort((a, b) => b.at - a.at || idNumber(b) - idNumber(a)),
    async remove(id) {
      const entry = [...facts].find(([, fact]) => parseFact(fact).id === id);
      if (entry === undefined) return false;
      const [key, { words }] = entry;
      facts.delete(key);
      for (const word of words) {
        const count = (factsPerWord.get(word) ?? 1) - 1;
        if (count === 0) factsPerWord.delete(word);
        else factsPerWord.set(word, count);
      }
      return true;
    },
  };
}

interface StoredFact {
  readonly json: string;
  readonly at: number;
  readonly words: ReadonlySet<string>;
}

function idNumber({ id }: Fact): number {
  return Number(id.slice("fact_".length));
}

function parseFact({ json }: StoredFact): Fact {
  return JSON.parse(json) as Fact; // written by this store
}
