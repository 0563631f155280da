import type { AgentEvent } from "../protocol/events.ts";

/** The events after a number, in order, from JSON lists of them. One that was told twice is there once. */
export function eventsAfter(lists: Iterable<string>, seq: number): readonly AgentEvent[] {
  const found = new Map<number, AgentEvent>();
  for (const json of lists) {
    for (const event of JSON.parse(json) as AgentEvent[])
      if (event.seq > seq && !found.has(event.seq)) found.set(event.seq, event); // what was written here
  }
  return [...found.values()].sort((one, other) => one.seq - other.seq);
}
