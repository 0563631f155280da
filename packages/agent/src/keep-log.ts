import type { EventBus } from "./bus/event-bus.ts";
import { isDelta } from "./bus/severity.ts";
import type { AgentEvent } from "./events.ts";
import { createRunLog, type RunLogOptions } from "./logs/run-log.ts";

/** Writes what happens in a run to its log: whole lines, with each turn of the event loop. Returns what writes the rest and ends it. */
export function keepLog(bus: Pick<EventBus, "subscribe">, options: RunLogOptions): () => void {
  const { sessionId, runId } = options;
  const log = createRunLog(options);
  let waiting: AgentEvent[] = [];
  const flush = () => {
    const events = waiting;
    waiting = [];
    log.write(...events);
  };
  const unsubscribe = bus.subscribe({
    sessionId,
    runId,
    listener(event) {
      if (isDelta(event)) return;
      waiting.push(event);
      if (waiting.length === 1) setImmediate(flush);
    },
  });
  return () => {
    unsubscribe();
    flush();
    log.close();
  };
}
