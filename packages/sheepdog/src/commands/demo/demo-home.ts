import { join } from "node:path";
import type { Stores } from "@sheepdog/agent";
import { openStores } from "../../compose/open-stores.ts";
import { type Home, resolveHome } from "../../home.ts";

/** Where the runs of the demo are kept. */
export interface DemoHome {
  readonly home: Home;
  readonly stores: Stores;
  /** False where they go with the demo. */
  readonly isKept: boolean;
  /** Sentences for the person who watches. */
  readonly notes: readonly string[];
}

/** The user's own home; one in `instead` where that cannot be written to, which is said. */
export async function openDemoHome(home: Home, instead: string): Promise<DemoHome> {
  try {
    return { home, isKept: true, ...(await openStores(home, home.logDir)) };
  } catch (error) {
    const own = resolveHome({ SHEEPDOG_HOME: join(instead, "home") });
    const { stores } = await openStores(own, own.logDir);
    return {
      home: own,
      stores,
      isKept: false,
      notes: [`these runs are not kept: ${error instanceof Error ? error.message : String(error)}`],
    };
  }
}
