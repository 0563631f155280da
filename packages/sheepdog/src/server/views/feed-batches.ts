import type { AgentEvent, EventStore, Stores } from "@sheepdog/agent";

/** Events that were saved together. */
export interface EventBatch {
  readonly position: number;
  readonly sessionId: string;
  readonly events: readonly AgentEvent[];
}

interface OrderedEvents extends EventStore {
  batchesAfter(position: number, limit: number): Promise<readonly EventBatch[]>;
  batchesBefore(position: number, limit: number): Promise<readonly EventBatch[]>;
  lastPosition(): Promise<number>;
}

/** The events of all processes in the order in which they were saved. */
export function orderedEvents({ events }: Pick<Stores, "events">): Omit<OrderedEvents, "after"> {
  if ("batchesAfter" in events) return events as OrderedEvents;
  return { batchesAfter: async () => [], batchesBefore: async () => [], lastPosition: async () => 0 };
}
