import type { AgentEvent } from "../events.ts";
import { isDelta } from "./severity.ts";

/** An event as a reader gets it, with the number of deltas it missed just before. */
export type ReadEvent = AgentEvent & { readonly dropped?: number };

/** One slow or fast consumer: takes events at its own pace and never holds up the run. */
export interface Reader extends AsyncIterableIterator<ReadEvent> {
  push(event: AgentEvent, missed?: number): void;
  /** No more events will come; those that wait can still be read. */
  end(): void;
}

/** A queue of at most `limit` deltas' room: once it is full further deltas are dropped and counted; other events always find a place. */
export function createReader(limit: number, onClose: () => void): Reader {
  let queue: ReadEvent[] = [];
  let head = 0;
  let dropped = 0;
  let isEnded = false;
  let waiting: ((step: IteratorResult<ReadEvent>) => void)[] = [];

  function take(): ReadEvent | undefined {
    const event = queue[head];
    if (event === undefined) return undefined;
    head += 1;
    if (head > 1_024 && head * 2 > queue.length) {
      queue = queue.slice(head);
      head = 0;
    }
    return event;
  }

  function end(): void {
    isEnded = true;
    const left = waiting;
    waiting = [];
    for (const resolve of left) resolve({ done: true, value: undefined });
  }

  return {
    push(event, missed = 0) {
      if (isEnded) return;
      dropped += missed;
      if (isDelta(event) && queue.length - head >= limit) {
        dropped += 1;
        return;
      }
      const told: ReadEvent = dropped === 0 ? event : Object.freeze({ ...event, dropped });
      dropped = 0;
      const resolve = waiting.shift();
      if (resolve !== undefined) resolve({ done: false, value: told });
      else queue.push(told);
    },
    end,
    next() {
      const value = take();
      if (value !== undefined) return Promise.resolve({ done: false, value });
      if (isEnded) return Promise.resolve({ done: true, value: undefined });
      return new Promise((resolve) => waiting.push(resolve));
    },
    return() {
      queue = [];
      head = 0;
      end();
      onClose();
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
