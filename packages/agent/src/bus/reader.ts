import type { AgentEvent } from "../events.ts";
import { isDelta, isNeverDropped } from "./severity.ts";

/** An event as a reader gets it, with the number of events it missed just before. */
export type ReadEvent = AgentEvent & { readonly dropped?: number };

/** One slow or fast consumer: takes events at its own pace and never holds up the run. */
export interface Reader extends AsyncIterableIterator<ReadEvent> {
  push(event: AgentEvent, missed?: number): void;
  /** No more events will come; those that wait can still be read. */
  end(): void;
}

export interface ReaderOptions {
  /** How many events may wait before further deltas are dropped and counted; other events always find a place. */
  readonly limit: number;
  /** How many other events are sure to wait for one who has not begun to read: perhaps nobody ever will. */
  readonly keep: number;
  readonly onClose: () => void;
}

/** A queue for one who reads. */
export function createReader({ limit, keep, onClose }: ReaderOptions): Reader {
  let queue: ReadEvent[] = [];
  let head = 0;
  let dropped = 0;
  let hasBegun = false;
  let trimAt = limit + 2 * keep;
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
      const told = withDropped(event, dropped);
      dropped = 0;
      const resolve = waiting.shift();
      if (resolve !== undefined) resolve({ done: false, value: told });
      else queue.push(told);
      if (!hasBegun && queue.length > trimAt) {
        queue = newestOf(queue, limit + keep);
        trimAt = queue.length + Math.max(keep, 1);
      }
    },
    end,
    next() {
      hasBegun = true;
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

/** The newest so many, and before them what must not be missed; what was left out is counted. */
function newestOf(queue: readonly ReadEvent[], count: number): ReadEvent[] {
  const from = queue.length - count;
  let missed = 0;
  return queue.flatMap((event, place) => {
    if (place >= from || isNeverDropped(event)) {
      const kept = withDropped(event, missed);
      missed = 0;
      return [kept];
    }
    missed += 1 + (event.dropped ?? 0);
    return [];
  });
}

function withDropped(event: ReadEvent, missed: number): ReadEvent {
  return missed === 0 ? event : Object.freeze({ ...event, dropped: (event.dropped ?? 0) + missed });
}
