import { keepShape } from "../async/keep-shape.ts";
import type { EventBus } from "../events/event-bus.ts";
import { isDelta } from "../events/severity.ts";
import type { AgentEvent } from "../protocol/events.ts";
import { createRunLog, type RunLog, type RunLogOptions } from "./run-log.ts";

/** Writes what happens in a run to its log: whole lines, with each turn of the event loop, or before where many wait. Returns what writes the rest and ends it. */
export function attachRunLog(bus: Pick<EventBus, "subscribe">, options: RunLogOptions): () => void {
  const { sessionId, runId } = options;
  const log = createRunLog(options);
  const unwritten = new UnwrittenEvents(log);
  const unsubscribe = bus.subscribe({ sessionId, runId, listener: unwritten.add.bind(unwritten) });
  return () => {
    unsubscribe();
    unwritten.write();
    log.close();
  };
}

/** A run may go on for many turns of its own before the event loop has one. */
const mostWaiting = 512;

class UnwrittenEvents {
  private readonly log: Pick<RunLog, "write">;
  private waiting: AgentEvent[] = [];
  private isSoon = false;

  constructor(log: Pick<RunLog, "write">) {
    this.log = log;
  }

  add(event: AgentEvent): void {
    if (isDelta(event)) return;
    this.waiting.push(event);
    if (this.waiting.length === mostWaiting) this.write();
    else if (!this.isSoon) {
      this.isSoon = true;
      setImmediate(writeOut, this);
    }
  }

  writeSoon(): void {
    this.isSoon = false;
    this.write();
  }

  write(): void {
    const events = this.waiting;
    this.waiting = [];
    this.log.write(...events);
  }
}

function writeOut(unwritten: UnwrittenEvents): void {
  unwritten.writeSoon();
}

keepShape(new UnwrittenEvents({ write: () => undefined }));
