import { setImmediate } from "node:timers/promises";

/** Knows whether everything that has happened is shown. */
export interface Pace<T> {
  /** Goes through the events, and notes when it has to wait for the next. */
  follow(events: AsyncIterable<T>): AsyncIterable<T>;
  /** Resolves once it waits. */
  caughtUp(): Promise<void>;
}

/** For events that are read more slowly than they happen. */
export function createPace<T>(): Pace<T> {
  let isWaiting = true;
  return {
    async *follow(events) {
      const iterator = events[Symbol.asyncIterator]();
      for (;;) {
        isWaiting = true;
        const step = await iterator.next();
        isWaiting = false;
        if (step.done === true) break;
        yield step.value;
      }
      isWaiting = true;
    },
    async caughtUp() {
      do await setImmediate();
      while (!isWaiting);
    },
  };
}
