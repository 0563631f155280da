import type { AgentEvent } from "../protocol/events.ts";
import { isTerminal } from "./severity.ts";

/** The prepared and unpublished events of one session, in the order of their numbers. */
export interface PendingEvents {
  readonly size: number;
  add(event: AgentEvent): void;
  /**
   * Marks an event as publishable. Returns the events to publish now: none while an earlier event is still pending,
   * otherwise this event and the marked ones behind it. The last event of a run removes the run's unmarked ones.
   */
  take(event: AgentEvent): readonly AgentEvent[];
  /** Removes events; returns those now publishable. */
  drop(events: readonly AgentEvent[]): readonly AgentEvent[];
}

export function createPendingEvents(): PendingEvents {
  let queue: AgentEvent[] = [];
  const publishable = new Set<AgentEvent>();

  const takePublishable = () => {
    const firstBlocked = queue.findIndex((event) => !publishable.has(event));
    const taken = queue.splice(0, firstBlocked < 0 ? queue.length : firstBlocked);
    for (const event of taken) publishable.delete(event);
    return taken;
  };

  return {
    get size() {
      return queue.length;
    },
    add(event) {
      queue.push(event);
    },
    take(event) {
      if (!queue.includes(event)) return []; // already published or dropped
      publishable.add(event);
      if (isTerminal(event)) queue = queue.filter((other) => other.runId !== event.runId || publishable.has(other));
      return takePublishable();
    },
    drop(events) {
      queue = queue.filter((event) => !events.includes(event));
      return takePublishable();
    },
  };
}
