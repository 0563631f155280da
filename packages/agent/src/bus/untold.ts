import type { AgentEvent } from "../events.ts";
import { isTerminal } from "./severity.ts";

/** The events of one session that were made and not told, in their order. */
export interface Untold {
  readonly size: number;
  add(event: AgentEvent): void;
  /** The events to tell now that this one may be told: it waits for those made before it, and brings those that wait for it. */
  take(event: AgentEvent): readonly AgentEvent[];
  /** Leaves events out of the line; gives those that waited for them alone. */
  drop(events: readonly AgentEvent[]): readonly AgentEvent[];
}

/** A line in which nobody overtakes. The end of a run takes what was made for it and not told out of the line. */
export function createUntold(): Untold {
  let line: AgentEvent[] = [];
  const allowed = new Set<AgentEvent>();
  const takeAll = () => {
    const all = line;
    line = [];
    return all;
  };
  const takeAllowed = () => {
    const stopped = line.findIndex((other) => !allowed.has(other));
    const next = line.splice(0, stopped < 0 ? line.length : stopped);
    for (const each of next) allowed.delete(each);
    return next;
  };
  return {
    get size() {
      return line.length;
    },
    add(event) {
      line.push(event);
    },
    take(event) {
      if (line.length === 1 && line[0] === event) return takeAll(); // as it nearly always is
      if (line.lastIndexOf(event) < 0) return []; // told before, or left out
      allowed.add(event);
      if (isTerminal(event)) line = line.filter((other) => other.runId !== event.runId || allowed.has(other));
      return takeAllowed();
    },
    drop(events) {
      line = line.filter((other) => !events.includes(other));
      return takeAllowed();
    },
  };
}
