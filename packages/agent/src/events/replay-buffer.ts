import { keepShape } from "../async/keep-shape.ts";
import type { AgentEvent } from "../protocol/events.ts";
import { isDelta } from "./severity.ts";

/** The newest events of one session. Deltas have room of their own, so that a long reply drives out nothing but deltas. */
export interface Replay {
  add(event: AgentEvent): void;
  /** Those after a number, in order. */
  after(seq: number): readonly AgentEvent[];
}

/** Keeps up to `keep` deltas and up to `keep` other events. */
export function createReplay(keep: number): Replay {
  return new Rings(keep);
}

class Rings implements Replay {
  private readonly deltas: Ring;
  private readonly others: Ring;

  constructor(keep: number) {
    this.deltas = new Ring(keep);
    this.others = new Ring(keep);
  }

  add(event: AgentEvent): void {
    (isDelta(event) ? this.deltas : this.others).add(event);
  }

  after(seq: number): readonly AgentEvent[] {
    return [...this.deltas.all(), ...this.others.all()]
      .filter((event) => event.seq > seq)
      .sort((one, other) => one.seq - other.seq);
  }
}

class Ring {
  private readonly size: number;
  private readonly events: AgentEvent[] = [];
  private oldest = 0;

  constructor(size: number) {
    this.size = size;
  }

  add(event: AgentEvent): void {
    if (this.size <= 0) return;
    if (this.events.length < this.size) {
      this.events.push(event);
      return;
    }
    this.events[this.oldest] = event;
    this.oldest = (this.oldest + 1) % this.size;
  }

  all(): readonly AgentEvent[] {
    return [...this.events.slice(this.oldest), ...this.events.slice(0, this.oldest)];
  }
}

keepShape(new Rings(0));
