import type { EventBus, Place } from "./bus/event-bus.ts";
import { isDelta } from "./bus/severity.ts";
import type { AgentEvent, AgentEventBody, Emit } from "./events.ts";

/** The events of a run on their way out: told at once, and written with the next commit. Deltas are only told; what they were pieces of is written. */
export interface Outbox {
  readonly emit: Emit;
  /** Nothing was told yet. */
  isSilent(): boolean;
  /** Has `write` write what was told since the last time, and `bodies`, of which nobody is told before they are written, nor where that fails. What is emitted meanwhile waits its turn. */
  writeFirst(bodies: readonly AgentEventBody[], write: (events: readonly AgentEvent[]) => Promise<void>): Promise<void>;
}

/** Makes the outbox of a run. */
export function createOutbox(bus: Pick<EventBus, "emit" | "make" | "tell" | "forget">, place: Place): Outbox {
  let unwritten: AgentEvent[] = [];
  let waiting: AgentEventBody[] | undefined;
  let isSilent = true;

  const emit: Emit = (body) => {
    if (waiting !== undefined) {
      waiting.push(body);
      return;
    }
    if (isDelta(body)) {
      isSilent = false;
      bus.emit(place, body); // it is not written
      return;
    }
    for (const event of bus.make(place, body)) {
      if (!isDelta(event)) unwritten.push(event);
      tell(event);
    }
  };

  const tell = (event: AgentEvent) => {
    isSilent = false;
    bus.tell(event);
  };

  return {
    emit,
    isSilent: () => isSilent,
    async writeFirst(bodies, write) {
      const made = bodies.flatMap((body) => bus.make(place, body));
      const written = unwritten.length;
      waiting = [];
      try {
        await write([...unwritten, ...made.filter((event) => !isDelta(event))]);
        unwritten = unwritten.slice(written);
        for (const event of made) tell(event);
      } catch (error) {
        bus.forget(made);
        throw error;
      } finally {
        const later = waiting;
        waiting = undefined;
        for (const body of later) emit(body);
      }
    },
  };
}
