import { createMemoryCosts } from "./memory-costs.ts";
import { createMemoryFacts } from "./memory-facts.ts";
import { createMemorySessions } from "./memory-sessions.ts";
import type { Stores } from "./stores.ts";

/** Stores that last as long as the process. They share no mutable value with their callers. */
export function memoryStores(): Stores {
  const costs = createMemoryCosts();
  const { reserve, totals, sums, rows, recordPossibleUse, unconfirmed, settleUnconfirmed } = costs;
  return {
    ...createMemorySessions(costs),
    costs: { reserve, totals, sums, rows, recordPossibleUse, unconfirmed, settleUnconfirmed },
    memory: createMemoryFacts(),
    close: async () => undefined,
  };
}
