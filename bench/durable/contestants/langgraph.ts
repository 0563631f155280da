import { join } from "node:path";
import { fromPeer } from "../../loop/contestant.ts";
import { langchainAgent } from "../../loop/contestants/langchain.ts";
import { loadLangchain } from "../../loop/contestants/load-langchain.ts";
import { type Contestant, databaseName, numberFrom } from "../contestant.ts";

/** The part of `@langchain/langgraph-checkpoint-sqlite` that is used. */
interface Exports {
  readonly SqliteSaver: { fromConnString(path: string): SqliteSaver };
}

interface SqliteSaver {
  readonly db: { close(): void };
}

/** The folder of the peer. */
export const langgraphPeer = "langgraph-sqlite";

/** Loads the saver. Throws when its SQLite module is not compiled. */
export async function loadSaver(): Promise<(folder: string) => SqliteSaver> {
  const { SqliteSaver } = await fromPeer<Exports>(
    `${langgraphPeer}/node_modules/@langchain/langgraph-checkpoint-sqlite/dist/index.js`,
  );
  SqliteSaver.fromConnString(":memory:").db.close();
  return (folder) => SqliteSaver.fromConnString(join(folder, databaseName));
}

/** `createAgent` of LangChain with LangGraph's SQLite saver and its defaults: no log, and no sync after each turn. */
export const langgraph: Contestant = {
  async load() {
    const langchain = await loadLangchain(langgraphPeer);
    const openSaver = await loadSaver();
    return async ({ folder }) => {
      const saver = openSaver(folder);
      return { run: langchainAgent(langchain, saver), close: () => saver.db.close() };
    };
  },
  jsonBytes: (database) => ({
    history: numberFrom(database, "SELECT total(length(value)) AS n FROM writes"),
    checkpoint: numberFrom(database, "SELECT total(length(checkpoint) + length(metadata)) AS n FROM checkpoints"),
  }),
};
