import { keepShape } from "../async/keep-shape.ts";
import type { AgentEvent, AgentEventBody } from "../protocol/events.ts";
import type { RunResult } from "../protocol/result.ts";
import { createEventBus, type EventBus, type RunRef } from "./event-bus.ts";
import { isDelta } from "./severity.ts";

/** The events of a run on their way out: told at once, and written with the next commit. Deltas are only told; what they were pieces of is written. */
export interface Outbox {
  emit(body: AgentEventBody): void;
  /** Nothing was told yet. */
  isSilent(): boolean;
  /** Has what was told since the last time written, and `bodies`, of which nobody is told before they are written, nor where that fails. What is emitted meanwhile waits its turn. */
  writeFirst(bodies: readonly AgentEventBody[], writer: Writer): Promise<void>;
}

/** Writes events. */
export interface Writer {
  write(events: readonly AgentEvent[]): Promise<void>;
  /** Called once they are written, and before those are told that waited for it. */
  written?(): void;
}

/** Makes the outbox of a run. */
export function createOutbox(bus: OutboxBus, place: RunRef): Outbox {
  return new WaitingEvents(bus, place);
}

type OutboxBus = Pick<EventBus, "emit" | "prepare" | "publish" | "discard">;

class WaitingEvents implements Outbox {
  private readonly bus: OutboxBus;
  private readonly place: RunRef;
  private unwritten: AgentEvent[] = [];
  /** What was emitted while something is being written. */
  private later: AgentEventBody[] | undefined = undefined;
  private isUnused = true;

  constructor(bus: OutboxBus, place: RunRef) {
    this.bus = bus;
    this.place = place;
  }

  emit(body: AgentEventBody): void {
    if (this.later !== undefined) {
      this.later.push(body);
      return;
    }
    this.isUnused = false;
    this.bus.emit(this.place, body, isDelta(body) ? undefined : this.unwritten);
  }

  isSilent(): boolean {
    return this.isUnused;
  }

  async writeFirst(bodies: readonly AgentEventBody[], writer: Writer): Promise<void> {
    const made = this.make(bodies);
    const written = this.unwritten.length;
    this.later = [];
    try {
      await writer.write(writtenOf(this.unwritten, made));
      writer.written?.();
      this.unwritten = this.unwritten.slice(written);
      for (const event of made) this.tell(event);
    } catch (error) {
      this.bus.discard(made);
      throw error;
    } finally {
      const { later } = this;
      this.later = undefined;
      for (const body of later) this.emit(body);
    }
  }

  private make(bodies: readonly AgentEventBody[]): readonly AgentEvent[] {
    const made: AgentEvent[] = [];
    for (const body of bodies) for (const event of this.bus.prepare(this.place, body)) made.push(event);
    return made;
  }

  private tell(event: AgentEvent): void {
    this.isUnused = false;
    this.bus.publish(event);
  }
}

/** What deltas were pieces of is written; they are not. */
function writtenOf(told: readonly AgentEvent[], made: readonly AgentEvent[]): readonly AgentEvent[] {
  const written: AgentEvent[] = [];
  for (const event of told) if (!isDelta(event)) written.push(event);
  for (const event of made) if (!isDelta(event)) written.push(event);
  return written;
}

const sampleBus = createEventBus({ now: () => Date.now() });
const samplePlace: RunRef = { sessionId: "", runId: "" };
const sampleEnd = sampleBus.prepare(samplePlace, { type: "RunComplete", result: {} as RunResult }); // whatever came of it
keepShape(createOutbox(sampleBus, samplePlace), ...sampleEnd);
