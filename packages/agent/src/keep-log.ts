import type { EventBus } from "./bus/event-bus.ts";
import { isDelta } from "./bus/severity.ts";
import type { AgentEvent } from "./events.ts";
import { keepShape } from "./keep-shape.ts";
import { createRunLog, type RunLog, type RunLogOptions } from "./logs/run-log.ts";

/** Writes what happens in a run to its log: whole lines, with each turn of the event loop. Returns what writes the rest and ends it. */
export function keepLog(bus: Pick<EventBus, "subscribe">, options: RunLogOptions): () => void {
  const { sessionId, runId } = options;
  const log = createRunLog(options);
  const unwritten = new UnwrittenEvents(log);
  const unsubscribe = bus.subscribe({ sessionId, runId, listener: (event) => unwritten.add(event) });
  return () => {
    unsubscribe();
    unwritten.write();
    log.close();
  };
}

class UnwrittenEvents {
  private readonly log: Pick<RunLog, "write">;
  private waiting: AgentEvent[] = [];

  constructor(log: Pick<RunLog, "write">) {
    this.log = log;
  }

  add(event: AgentEvent): void {
    if (isDelta(event)) return;
    this.waiting.push(event);
    if (this.waiting.length === 1) setImmediate(writeOut, this);
  }

  write(): void {
    const events = this.waiting;
    this.waiting = [];
    this.log.write(...events);
  }
}

function writeOut(unwritten: UnwrittenEvents): void {
  unwritten.write();
}

keepShape(new UnwrittenEvents({ write: () => undefined }));
