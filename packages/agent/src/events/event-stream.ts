import type { AgentEvent } from "../protocol/events.ts";
import { isDelta, isNeverDropped } from "./severity.ts";

/** An event for one reader, with the number of events dropped just before it. */
export type StreamedEvent = AgentEvent & { readonly dropped?: number };

/** The queue of one reader, which reads at its own pace and never delays the run. */
export interface EventStream extends AsyncIterableIterator<StreamedEvent> {
  push(event: AgentEvent, missed?: number): void;
  /** No more events will come; queued ones can still be read. */
  end(): void;
}

export interface EventStreamOptions {
  /** How many events may queue up before further deltas are dropped and counted; other events are always queued. */
  readonly limit: number;
  /** How many other events are stored for a reader that has not started: it may never read. */
  readonly keep: number;
  readonly onClose: () => void;
}

export function createEventStream({ limit, keep, onClose }: EventStreamOptions): EventStream {
  let queue: StreamedEvent[] = [];
  /** The index of the next event to read. */
  let head = 0;
  let dropped = 0;
  let hasStarted = false;
  let trimLength = limit + 2 * keep;
  let isEnded = false;
  let readers: ((step: IteratorResult<StreamedEvent>) => void)[] = [];

  function takeNext(): StreamedEvent | undefined {
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
    const waiting = readers;
    readers = [];
    for (const resolve of waiting) resolve({ done: true, value: undefined });
  }

  return {
    push(event, missed = 0) {
      if (isEnded) return;
      dropped += missed;
      if (isDelta(event) && queue.length - head >= limit) {
        dropped += 1;
        return;
      }
      const value = withDropped(event, dropped);
      dropped = 0;
      const resolve = readers.shift();
      if (resolve === undefined) queue.push(value);
      else resolve({ done: false, value });
      if (hasStarted || queue.length <= trimLength) return;
      queue = newestOf(queue, limit + keep);
      trimLength = queue.length + Math.max(keep, 1);
    },
    end,
    async next() {
      hasStarted = true;
      const value = takeNext();
      if (value !== undefined) return { done: false, value };
      if (isEnded) return { done: true, value: undefined };
      return new Promise((resolve) => readers.push(resolve));
    },
    async return() {
      queue = [];
      head = 0;
      end();
      onClose();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The newest `count` events and older ones that must not be missed; all others are counted as dropped. */
function newestOf(queue: readonly StreamedEvent[], count: number): StreamedEvent[] {
  const firstKept = queue.length - count;
  let missed = 0;
  return queue.flatMap((event, index) => {
    if (index >= firstKept || isNeverDropped(event)) {
      const counted = withDropped(event, missed);
      missed = 0;
      return [counted];
    }
    missed += 1 + (event.dropped ?? 0);
    return [];
  });
}

function withDropped(event: StreamedEvent, missed: number): StreamedEvent {
  return missed === 0 ? event : Object.freeze({ ...event, dropped: (event.dropped ?? 0) + missed });
}
