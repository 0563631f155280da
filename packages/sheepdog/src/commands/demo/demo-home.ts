import { join } from "node:path";
import type { Stores } from "@sheepdog/agent";
import { openStores } from "../../compose/open-stores.ts";
import { type Home, resolveHome } from "../../home.ts";

/** Where the runs of the demo are saved. */
export interface DemoHome {
  readonly home: Home;
  readonly stores: Stores;
  /** False for a temporary home, which is removed with the demo. */
  readonly isUserHome: boolean;
  /** Sentences to show to the user. */
  readonly notes: readonly string[];
}

/** Opens the user's home; if it cannot be used, a temporary one in `folder`, with a note. */
export async function openDemoHome(home: Home, folder: string): Promise<DemoHome> {
  try {
    return { home, stores: await openStores(home, home.logDir), isUserHome: true, notes: [] };
  } catch (error) {
    const temporary = resolveHome({ SHEEPDOG_HOME: join(folder, "home") });
    const stores = await openStores(temporary, temporary.logDir);
    return {
      home: temporary,
      stores,
      isUserHome: false,
      notes: [`the runs of this demo are not saved: ${error instanceof Error ? error.message : String(error)}`],
    };
  }
}
