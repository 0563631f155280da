import type { EventBus, Place } from "./bus/event-bus.ts";
import { isDelta } from "./bus/severity.ts";
import type { AgentEvent, AgentEventBody, Emit } from "./events.ts";

/** The events of a run on their way out: told at once, and written with the next commit. Deltas are only told; what they were pieces of is written. */
export interface Outbox {
  readonly emit: Emit;
  /** What was told since the last time this was asked, to be written. */
  take(): readonly AgentEvent[];
  /** Has events written by `write` before anybody is told of them. What is emitted meanwhile waits its turn. */
  writeFirst(bodies: readonly AgentEventBody[], write: (events: readonly AgentEvent[]) => Promise<void>): Promise<void>;
}

/** Makes the outbox of a run. */
export function createOutbox(bus: Pick<EventBus, "make" | "tell">, place: Place): Outbox {
  let unwritten: AgentEvent[] = [];
  let waiting: AgentEventBody[] | undefined;

  const take = () => {
    const taken = unwritten;
    unwritten = [];
    return taken;
  };

  const emit: Emit = (body) => {
    if (waiting !== undefined) {
      waiting.push(body);
      return;
    }
    for (const event of bus.make(place, body)) {
      if (!isDelta(event)) unwritten.push(event);
      bus.tell(event);
    }
  };

  return {
    emit,
    take,
    async writeFirst(bodies, write) {
      const made = bodies.flatMap((body) => bus.make(place, body));
      waiting = [];
      try {
        await write([...take(), ...made.filter((event) => !isDelta(event))]);
      } finally {
        const later = waiting;
        waiting = undefined;
        for (const event of made) bus.tell(event);
        for (const body of later) emit(body);
      }
    },
  };
}
