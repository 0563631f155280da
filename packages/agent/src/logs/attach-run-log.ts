import type { AgentEvent } from "../protocol/events.ts";
import { levelOf } from "./log-level.ts";
import { createRunLog, type RunLogOptions } from "./run-log.ts";

/** The part of the event bus that a run log needs. */
export interface EventSource {
  subscribe(subscription: {
    readonly sessionId: string;
    readonly runId: string;
    readonly listener: (event: AgentEvent) => void;
  }): () => void;
}

/** A run may emit many events before the event loop gets a turn. */
const maxPendingEvents = 512;

/**
 * Writes the events of a run to its log, once per turn of the event loop, or earlier when many are pending.
 * Returns a function that writes the remaining events and closes the log.
 */
export function attachRunLog(bus: EventSource, options: RunLogOptions): () => void {
  const { sessionId, runId } = options;
  const log = createRunLog(options);
  let pending: AgentEvent[] = [];
  const writePending = () => {
    const events = pending;
    pending = [];
    if (events.length > 0) log.write(...events);
  };
  const unsubscribe = bus.subscribe({
    sessionId,
    runId,
    listener(event) {
      // Deltas of the text are not logged themselves, but make up the reply of their turn.
      if (levelOf[event.type] === undefined && event.type !== "TextDelta") return;
      pending.push(event);
      if (pending.length === 1) setImmediate(writePending);
      if (pending.length === maxPendingEvents) writePending();
    },
  });
  return () => {
    unsubscribe();
    writePending();
    log.close();
  };
}
