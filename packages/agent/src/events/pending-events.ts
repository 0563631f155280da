import { keepShape } from "../async/keep-shape.ts";
import type { AgentEvent } from "../protocol/events.ts";
import { isTerminal } from "./severity.ts";

/** The events of one session that were made and not told, in their order. */
export interface PendingEvents {
  readonly size: number;
  add(event: AgentEvent): void;
  /** The events to tell now that this one may be told: it waits for those made before it, and brings those that wait for it. */
  take(event: AgentEvent): readonly AgentEvent[];
  /** Leaves events out of the line; gives those that waited for them alone. */
  drop(events: readonly AgentEvent[]): readonly AgentEvent[];
}

/** A line in which nobody overtakes. The end of a run takes what was made for it and not told out of the line. */
export function createPendingEvents(): PendingEvents {
  return new Line();
}

class Line implements PendingEvents {
  private line: AgentEvent[] = [];
  private readonly allowed = new Set<AgentEvent>();

  get size(): number {
    return this.line.length;
  }

  add(event: AgentEvent): void {
    this.line.push(event);
  }

  take(event: AgentEvent): readonly AgentEvent[] {
    if (this.line[0] === event && this.isAloneAllowed(event)) return this.takeFirst(); // as it nearly always is
    if (this.line.lastIndexOf(event) < 0) return []; // told before, or left out
    this.allowed.add(event);
    if (isTerminal(event))
      this.line = this.line.filter((other) => other.runId !== event.runId || this.allowed.has(other));
    return this.takeAllowed();
  }

  drop(events: readonly AgentEvent[]): readonly AgentEvent[] {
    this.line = this.line.filter((other) => !events.includes(other));
    return this.takeAllowed();
  }

  /** Nobody waits for this event alone, and it leaves nobody out. */
  private isAloneAllowed(event: AgentEvent): boolean {
    return this.line.length === 1 || (this.allowed.size === 0 && !isTerminal(event));
  }

  private takeFirst(): readonly AgentEvent[] {
    const first = this.line.shift();
    return first === undefined ? [] : [first];
  }

  private takeAllowed(): readonly AgentEvent[] {
    const stopped = this.line.findIndex((other) => !this.allowed.has(other));
    const next = this.line.splice(0, stopped < 0 ? this.line.length : stopped);
    for (const each of next) this.allowed.delete(each);
    return next;
  }
}

keepShape(new Line());
