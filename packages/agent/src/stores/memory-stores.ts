import { createMemoryAudit } from "./memory-audit.ts";
import { createMemoryCosts } from "./memory-costs.ts";
import { createMemoryFacts } from "./memory-facts.ts";
import { createMemoryLessons } from "./memory-lessons.ts";
import { createMemorySessions } from "./memory-sessions.ts";
import type { Stores } from "./stores.ts";

/** Stores that last as long as the process. They share no mutable value with their callers. */
export function memoryStores(): Stores {
  const costs = createMemoryCosts((row) => hasEnded(row));
  const audit = createMemoryAudit();
  const lessons = createMemoryLessons();
  const { sessions, events, hasEnded } = createMemorySessions({ costs, audit, lessons });
  const { reserve, totals, sums, rows, recordPossibleUse, reserved, unconfirmed, settleUnconfirmed } = costs;
  return {
    sessions,
    events,
    costs: { reserve, totals, sums, rows, recordPossibleUse, reserved, unconfirmed, settleUnconfirmed },
    memory: createMemoryFacts(),
    audit,
    lessons,
    close: async () => undefined,
  };
}
