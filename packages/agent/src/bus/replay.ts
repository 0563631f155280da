import type { AgentEvent } from "../events.ts";
import { isDelta } from "./severity.ts";

/** The newest events of one session. Deltas have room of their own, so that a long reply drives out nothing but deltas. */
export interface Replay {
  add(event: AgentEvent): void;
  /** Those after a number, in order. */
  after(seq: number): readonly AgentEvent[];
}

/** Keeps up to `keep` deltas and up to `keep` other events. */
export function createReplay(keep: number): Replay {
  const deltas = createRing(keep);
  const others = createRing(keep);
  return {
    add: (event) => (isDelta(event) ? deltas : others).add(event),
    after: (seq) => [...deltas.all(), ...others.all()].filter((event) => event.seq > seq).sort((one, other) => one.seq - other.seq),
  };
}

function createRing(size: number): { add(event: AgentEvent): void; all(): readonly AgentEvent[] } {
  const events: AgentEvent[] = [];
  let oldest = 0;
  return {
    add(event) {
      if (size <= 0) return;
      if (events.length < size) events.push(event);
      else {
        events[oldest] = event;
        oldest = (oldest + 1) % size;
      }
    },
    all: () => [...events.slice(oldest), ...events.slice(0, oldest)],
  };
}
