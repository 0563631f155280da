import { join } from "node:path";
import type { sqliteStores } from "../../../packages/agent/dist/index.js";
import { loadRuntime } from "../../loop/contestants/runtime.ts";
import { importBuilt } from "../../measure/baseline.ts";
import { type Contestant, databaseName, jsonColumnBytes } from "../contestant.ts";

/** What is used of `@sheepdog/agent` beside the runtime. */
interface AgentExports {
  readonly sqliteStores: typeof sqliteStores;
}

/**
 * The runtime of a checkout with everything turned on: guardian, gate, ledger, stores on the disk, run logs at the
 * highest level, and three listeners.
 */
export function durableRuntime(root: string): Contestant {
  return {
    async load() {
      const { sqliteStores } = await importBuilt<AgentExports>(root, "agent");
      const createRun = await loadRuntime(root);
      return async ({ folder, kind }) => {
        const stores = await sqliteStores({ path: join(folder, databaseName) });
        const run = createRun({
          kind,
          stores,
          log: { dir: join(folder, "logs"), level: 3 },
          price: (_model, { input, output }) => input + output,
        });
        return { run, close: () => stores.close() };
      };
    },
    jsonBytes: jsonColumnBytes,
  };
}
