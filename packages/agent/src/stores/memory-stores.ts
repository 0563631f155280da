import type { AgentEvent } from "../events.ts";
import type { Message } from "../messages.ts";
import { createFacts } from "./memory-facts.ts";
import type { Checkpoint, CheckpointStore, CostRow, CostStore, EventStore, HistoryStore, Stores } from "./stores.ts";
import { dayOf, monthOf } from "./utc.ts";

/** Stores that last as long as the process. Everything is kept as JSON text, so that nobody shares a value with them, and they keep what a database would. */
export function memoryStores(): Stores {
  return { history: createHistory(), checkpoints: createCheckpoints(), costs: createCosts(), events: createEvents(), memory: createFacts() };
}

function createHistory(): HistoryStore {
  const rows = new Map<string, string[]>();
  return {
    load: async (sessionId) => (rows.get(sessionId) ?? []).map((row) => JSON.parse(row) as Message), // what was written here
    async append(sessionId, messages) {
      const added = messages.map((message) => JSON.stringify(message)); // all of them can be written before one is
      const kept = rows.get(sessionId) ?? [];
      for (const row of added) kept.push(row);
      rows.set(sessionId, kept);
    },
  };
}

function createCheckpoints(): CheckpointStore {
  const rows = new Map<string, string>();
  return {
    async load(sessionId) {
      const row = rows.get(sessionId);
      return row === undefined ? undefined : (JSON.parse(row) as Checkpoint); // what was written here
    },
    async save(sessionId, checkpoint) {
      rows.set(sessionId, JSON.stringify(checkpoint));
    },
  };
}

function createCosts(): CostStore {
  const totals = new Map<string, number | null>();
  const book = (key: string, { costNanoUsd }: CostRow) => {
    const before = totals.get(key);
    totals.set(key, before === null || costNanoUsd === null ? null : (before ?? 0) + costNanoUsd);
  };
  const total = (key: string) => totals.get(key) ?? (totals.has(key) ? null : 0);
  return {
    async record(row) {
      if (row.costNanoUsd !== null && !Number.isSafeInteger(row.costNanoUsd)) throw new Error(`Expected a cost in whole nano-dollars, got ${row.costNanoUsd}.`);
      const [day, month] = [dayOf(row.at), monthOf(row.at)];
      book(`session ${row.sessionId}`, row);
      book(`day ${day}`, row);
      book(`month ${month}`, row);
    },
    async totals(sessionId, at) {
      const [dayName, monthName] = [dayOf(at), monthOf(at)];
      return { session: total(`session ${sessionId}`), day: total(`day ${dayName}`), month: total(`month ${monthName}`), dayName, monthName };
    },
  };
}

function createEvents(): EventStore {
  const rows = new Map<string, Map<number, string>>();
  return {
    async append(events) {
      const added = events.map((event) => [event, JSON.stringify(event)] as const);
      for (const [{ sessionId, seq }, row] of added) {
        const kept = rows.get(sessionId) ?? new Map<number, string>();
        if (!kept.has(seq)) kept.set(seq, row); // told twice is told once
        rows.set(sessionId, kept);
      }
    },
    async after(sessionId, seq) {
      const kept = [...(rows.get(sessionId) ?? [])].filter(([number]) => number > seq);
      return kept.sort(([one], [other]) => one - other).map(([, row]) => JSON.parse(row) as AgentEvent); // what was written here
    },
  };
}
