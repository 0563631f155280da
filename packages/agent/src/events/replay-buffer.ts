import type { AgentEvent } from "../protocol/events.ts";
import { isDelta } from "./severity.ts";

/** The newest events of one session. Deltas are limited separately, so that a long reply displaces only deltas. */
export interface ReplayBuffer {
  add(event: AgentEvent): void;
  /** The events with a number above `seq`, in order. */
  after(seq: number): readonly AgentEvent[];
}

/** Holds up to `size` deltas and up to `size` other events. */
export function createReplayBuffer(size: number): ReplayBuffer {
  const deltas = createRing(size);
  const others = createRing(size);
  return {
    add: (event) => (isDelta(event) ? deltas : others).add(event),
    after: (seq) =>
      [...deltas.events(), ...others.events()].filter((event) => event.seq > seq).sort((a, b) => a.seq - b.seq),
  };
}

interface Ring {
  add(event: AgentEvent): void;
  events(): readonly AgentEvent[];
}

function createRing(size: number): Ring {
  const slots: AgentEvent[] = [];
  let oldest = 0;
  return {
    add(event) {
      if (slots.length < size) {
        slots.push(event);
        return;
      }
      if (size <= 0) return;
      slots[oldest] = event;
      oldest = (oldest + 1) % size;
    },
    events: () => slots,
  };
}
