import { statSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Stores } from "@sheepdog/agent";

/** How the database of a server is opened again. */
export interface CurrentStoresOptions {
  /** The path of the database. */
  readonly path: string;
  readonly open: () => Promise<Stores>;
  readonly onProblem: (sentence: string) => void;
  /** How often the file is looked at; default: five times a second. */
  readonly checkMs?: number;
}

/** How long what was asked of a replaced database may take. */
const lingerMs = 5_000;

/**
 * The stores of the database that is at a path now. A rebuild puts another one there, and a user may delete it; a
 * connection to the former file would answer with old data for ever. A method rejects as long as there is no database
 * that can be opened. `close` does not close `first`.
 */
export function createCurrentStores(first: Stores, options: CurrentStoresOptions): Stores {
  const { path, open, onProblem, checkMs = 200 } = options;
  let current = first;
  let openedFile = fileIdentity(path);
  let checkedAt = Number.NEGATIVE_INFINITY;
  let reopening: Promise<void> | undefined;

  const reopen = async () => {
    try {
      const isReplaced = openedFile !== undefined;
      const stores = await open();
      void closeLater(current, first);
      current = stores;
      openedFile = fileIdentity(path);
      if (isReplaced) onProblem("the database was replaced; the server has opened the new one");
    } catch (error) {
      checkedAt = Number.NEGATIVE_INFINITY; // the next request tries again
      throw error;
    }
  };

  /** Opens the database again if another file is at its path. */
  const refresh = async () => {
    if (reopening !== undefined) return reopening;
    if (performance.now() - checkedAt < checkMs) return;
    checkedAt = performance.now();
    const file = fileIdentity(path);
    if (file === openedFile) return;
    reopening = reopen().finally(() => {
      reopening = undefined;
    });
    return reopening;
  };

  const follow = <Name extends Exclude<keyof Stores, "close">>(name: Name): Stores[Name] =>
    new Proxy(first[name], {
      get: (_, member) => {
        if (typeof Reflect.get(current[name], member) !== "function") return undefined; // it has methods only
        return async (...args: unknown[]) => {
          await refresh();
          const store = current[name];
          return (Reflect.get(store, member) as (...args: unknown[]) => unknown).apply(store, args); // as checked above
        };
      },
    });

  return {
    sessions: follow("sessions"),
    costs: follow("costs"),
    events: follow("events"),
    memory: follow("memory"),
    audit: follow("audit"),
    lessons: follow("lessons"),
    async close() {
      await reopening?.catch(() => {});
      if (current !== first) await current.close();
    },
  };
}

async function closeLater(replaced: Stores, first: Stores): Promise<void> {
  if (replaced === first) return; // its opener closes it
  await setTimeout(lingerMs, undefined, { ref: false });
  await replaced.close().catch(() => {}); // its file may be gone
}

/** Tells a file from another one at the same path; undefined if there is none. */
function fileIdentity(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}
