import { setImmediate } from "node:timers/promises";

/** Reads events and knows whether every event so far has been handled. */
export interface EventReader<T> {
  /** Iterates over the events. */
  read(events: AsyncIterable<T>): AsyncIterable<T>;
  /** Resolves once the reader waits for the next event. */
  caughtUp(): Promise<void>;
}

/** For events that may arrive faster than they are handled. */
export function createEventReader<T>(): EventReader<T> {
  let isWaiting = true;
  return {
    async *read(events) {
      const iterator = events[Symbol.asyncIterator]();
      for (;;) {
        isWaiting = true;
        const next = await iterator.next();
        isWaiting = false;
        if (next.done === true) break;
        yield next.value;
      }
      isWaiting = true;
    },
    async caughtUp() {
      do await setImmediate();
      while (!isWaiting);
    },
  };
}
