import type { Fact, MemoryStore } from "../stores.ts";
import { queryWords, wordsOf } from "../words.ts";
import type { Sqlite } from "./open-sqlite.ts";
import { ownRows } from "./row-validation.ts";

/**
 * Facts in a database. Texts and queries are split into words by the same function, so that a query cannot hold
 * full-text syntax.
 */
export function sqliteFacts({ safe, light, onForeignRow }: Sqlite): MemoryStore {
  const findEqual = safe.database.prepare(
    "SELECT n, json FROM facts WHERE json_valid(json) AND json_extract(json, '$.text', '$.tags') = ?",
  );
  const insertFact = safe.database.prepare("INSERT INTO facts (at, json) VALUES (?, ?)");
  const insertWords = safe.database.prepare("INSERT INTO fact_words (rowid, words) VALUES (?, ?)");
  const findMatches = light.database.prepare(
    `SELECT n, at, json FROM fact_words JOIN facts ON n = fact_words.rowid
     WHERE fact_words MATCH ? ORDER BY bm25(fact_words), at DESC, n DESC LIMIT ?`,
  );
  const findWord = light.database.prepare("SELECT 1 FROM fact_words WHERE fact_words MATCH ? LIMIT 1");
  const listFacts = light.database.prepare("SELECT n, at, json FROM facts ORDER BY at DESC, n DESC");
  const deleteFact = safe.database.prepare("DELETE FROM facts WHERE n = ?");
  const deleteWords = safe.database.prepare("DELETE FROM fact_words WHERE rowid = ?");
  const facts = (rows: readonly unknown[]) => [...ownRows<FactRow>("facts", rows, onForeignRow)].map(factOf);
  return {
    async write({ at, text, tags }) {
      const json = JSON.stringify({ at, text, tags });
      const words = wordsOf(`${text} ${tags.join(" ")}`).join(" ");
      return safe.write(() => {
        const existing = findEqual.get(JSON.stringify([text, tags])) as FactRow | undefined; // the selected columns
        if (existing !== undefined) return factOf(existing);
        const { lastInsertRowid } = insertFact.run(at, json);
        insertWords.run(lastInsertRowid, words);
        return factOf({ n: lastInsertRowid, json });
      });
    },
    search: (query, limit) =>
      light.read(() => {
        const words = queryWords(query, (word) => findWord.get(`"${word}"`) !== undefined);
        if (words.length === 0 || limit < 1) return [];
        const match = words.map((word) => `"${word}"`).join(" OR ");
        return facts(findMatches.all(match, Math.min(Math.trunc(limit), 1_000_000)));
      }),
    list: () => light.read(() => facts(listFacts.all())),
    async remove(id) {
      const n = /^fact_([1-9]\d{0,14})$/.exec(id)?.[1];
      if (n === undefined) return false;
      return safe.write(() => {
        deleteWords.run(Number(n));
        return Number(deleteFact.run(Number(n)).changes) > 0;
      });
    },
  };
}

interface FactRow {
  readonly n: number | bigint;
  readonly json: string;
}

function factOf({ n, json }: FactRow): Fact {
  const { at, text, tags } = JSON.parse(json) as Omit<Fact, "id">; // checked, or written by this store
  return { id: `fact_${n}`, at, text, tags };
}
