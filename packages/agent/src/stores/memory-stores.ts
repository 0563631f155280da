import { createCosts } from "./memory-costs.ts";
import { createFacts } from "./memory-facts.ts";
import { createSessions } from "./memory-sessions.ts";
import type { Stores } from "./stores.ts";

/** Stores that last as long as the process. Nobody shares a value with them that could change. */
export function memoryStores(): Stores {
  const costs = createCosts();
  return { ...createSessions(costs), costs, memory: createFacts(), close: async () => undefined };
}
