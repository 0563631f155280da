import { join } from "node:path";
import { sqliteStores } from "../../../packages/agent/dist/index.js";
import { loadOurs } from "../../loop/contestants/ours.ts";
import { type Contestant, databaseName } from "../contestant.ts";

/** The runtime with everything on: guardian, gate, books, stores on the disk, run logs at the highest level, and three listeners. */
export const ours: Contestant = {
  async open() {
    const runtimeWith = await loadOurs();
    return async ({ folder, kind }) => {
      const stores = await sqliteStores({ path: join(folder, databaseName) });
      const play = runtimeWith({
        kind,
        stores,
        log: { dir: join(folder, "logs"), level: 3 },
        price: (_model, { input, output }) => input + output,
      });
      return { play, close: () => stores.close() };
    };
  },
  jsonBytes: `SELECT ${["messages", "events", "runs", "checkpoints"]
    .map((table) => `(SELECT total(octet_length(json)) FROM ${table})`)
    .join(" + ")} AS bytes`,
};
