import { join } from "node:path";
import { fromPeer } from "../../loop/contestant.ts";
import { playLangchain } from "../../loop/contestants/langchain.ts";
import { loadLangchain } from "../../loop/contestants/load-langchain.ts";
import { type Contestant, databaseName } from "../contestant.ts";

/** What is used of `@langchain/langgraph-checkpoint-sqlite`. */
interface Exports {
  readonly SqliteSaver: { fromConnString(path: string): SqliteSaver };
}

interface SqliteSaver {
  readonly db: { close(): void };
}

/** The folder of the peer. */
export const langgraphPeer = "langgraph-sqlite";

/** Opens a saver. Throws where its SQLite module was not compiled. */
export async function loadSaver(): Promise<(folder: string) => SqliteSaver> {
  const { SqliteSaver } = await fromPeer<Exports>(
    `${langgraphPeer}/node_modules/@langchain/langgraph-checkpoint-sqlite/dist/index.js`,
  );
  SqliteSaver.fromConnString(":memory:").db.close();
  return (folder) => SqliteSaver.fromConnString(join(folder, databaseName));
}

/** `createAgent` of LangChain with the SQLite saver of LangGraph as it comes: no log beside it, and no sync after each turn. */
export const langgraph: Contestant = {
  async open() {
    const langchain = await loadLangchain(langgraphPeer);
    const open = await loadSaver();
    return async ({ folder }) => {
      const saver = open(folder);
      return { play: playLangchain(langchain, saver), close: () => saver.db.close() };
    };
  },
  jsonBytes: `SELECT (SELECT sum(length(checkpoint) + length(metadata)) FROM checkpoints) + (SELECT sum(length(value)) FROM writes) AS bytes`,
};
