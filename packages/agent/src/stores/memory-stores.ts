import { createMemoryAudit } from "./memory-audit.ts";
import { createMemoryCosts } from "./memory-costs.ts";
import { createMemoryFacts } from "./memory-facts.ts";
import { createMemoryLessons } from "./memory-lessons.ts";
import { createMemorySessions } from "./memory-sessions.ts";
import type { Stores } from "./stores.ts";

/** Stores that last as long as the process. They share no mutable value with their callers. */
export function memoryStores(): Stores {
  const costs = createMemoryCosts();
  const audit = createMemoryAudit();
  const lessons = createMemoryLessons();
  const { reserve, totals, sums, rows, recordPossibleUse, unconfirmed, settleUnconfirmed } = costs;
  return {
    ...createMemorySessions({ costs, audit, lessons }),
    costs: { reserve, totals, sums, rows, recordPossibleUse, unconfirmed, settleUnconfirmed },
    memory: createMemoryFacts(),
    audit,
    lessons,
    close: async () => undefined,
  };
}
