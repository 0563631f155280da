import type { Fact, MemoryStore } from "../stores.ts";
import { questionWords, wordsOf } from "../words.ts";
import type { Sqlite } from "./open-sqlite.ts";

/** Facts in a database. Their words are cut here, for writing as for searching, so that a query can hold nothing but words. */
export function sqliteFacts({ safe, light }: Sqlite): MemoryStore {
  const findSame = safe.database.prepare("SELECT n, json FROM facts WHERE json_extract(json, '$.text', '$.tags') = ?"); // 13 ms where there are 20,000
  const insertFact = safe.database.prepare("INSERT INTO facts (at, json) VALUES (?, ?)");
  const insertWords = safe.database.prepare("INSERT INTO fact_words (rowid, words) VALUES (?, ?)");
  const find = light.database.prepare(
    "SELECT n, json FROM fact_words JOIN facts ON n = fact_words.rowid WHERE fact_words MATCH ? ORDER BY bm25(fact_words), at DESC, n DESC LIMIT ?",
  );
  const known = light.database.prepare("SELECT 1 FROM fact_words WHERE fact_words MATCH ? LIMIT 1");
  const all = light.database.prepare("SELECT n, json FROM facts ORDER BY at DESC, n DESC");
  const deleteFact = safe.database.prepare("DELETE FROM facts WHERE n = ?");
  const deleteWords = safe.database.prepare("DELETE FROM fact_words WHERE rowid = ?");
  return {
    async write({ at, text, tags }) {
      const [json, words] = [JSON.stringify({ at, text, tags }), wordsOf(`${text} ${tags.join(" ")}`).join(" ")];
      return safe.write(() => {
        const same = findSame.get(JSON.stringify([text, tags])) as Row | undefined; // the columns asked for
        if (same !== undefined) return factOf(same);
        const { lastInsertRowid } = insertFact.run(at, json);
        insertWords.run(lastInsertRowid, words);
        return factOf({ n: lastInsertRowid, json });
      });
    },
    search: (query, limit) =>
      light.read(() => {
        const words = questionWords(query, (word) => known.get(`"${word}"`) !== undefined);
        if (words.length === 0 || limit < 1) return [];
        const question = words.map((word) => `"${word}"`).join(" OR ");
        return (find.all(question, Math.min(Math.trunc(limit), 1_000_000)) as Row[]).map(factOf); // the columns asked for
      }),
    list: () => light.read(() => (all.all() as Row[]).map(factOf)), // the columns asked for
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

interface Row {
  readonly n: number | bigint;
  readonly json: string;
}

function factOf({ n, json }: Row): Fact {
  const { at, text, tags } = JSON.parse(json) as Omit<Fact, "id">; // what was written here
  return { id: `fact_${n}`, at, text, tags };
}
