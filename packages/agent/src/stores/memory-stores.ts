import { createCosts, type MemoryCosts } from "./memory-costs.ts";
import { createFacts } from "./memory-facts.ts";
import { createSessions } from "./memory-sessions.ts";
import type { CostStore, Stores } from "./stores.ts";

/** Stores that last as long as the process. Nobody shares a value with them that could change. */
export function memoryStores(): Stores {
  const costs = createCosts();
  const { sessions, events } = createSessions(costs);
  return { sessions, costs: shown(costs), events, memory: createFacts(), close: async () => undefined };
}

/** The books as a store: what can be done with them, each for itself. */
function shown(costs: MemoryCosts): CostStore {
  return {
    reserve: costs.reserve.bind(costs),
    totals: costs.totals.bind(costs),
    sums: costs.sums.bind(costs),
    rows: costs.rows.bind(costs),
  };
}
