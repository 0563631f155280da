import { keepShape } from "../async/keep-shape.ts";
import type { AgentEvent } from "../protocol/events.ts";
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
export function createReader(options: ReaderOptions): Reader {
  return new Queue(options);
}

class Queue implements Reader {
  private readonly limit: number;
  private readonly keep: number;
  private readonly onClose: () => void;
  private events: ReadEvent[] = [];
  /** The place of the next event to read. */
  private head = 0;
  private dropped = 0;
  private hasBegun = false;
  private trimAt: number;
  private isEnded = false;
  private waiting: ((step: IteratorResult<ReadEvent>) => void)[] = [];

  constructor({ limit, keep, onClose }: ReaderOptions) {
    this.limit = limit;
    this.keep = keep;
    this.onClose = onClose;
    this.trimAt = limit + 2 * keep;
  }

  push(event: AgentEvent, missed = 0): void {
    if (this.isEnded) return;
    this.dropped += missed;
    if (isDelta(event) && this.events.length - this.head >= this.limit) {
      this.dropped += 1;
      return;
    }
    const told = withDropped(event, this.dropped);
    this.dropped = 0;
    const resolve = this.waiting.shift();
    if (resolve !== undefined) resolve({ done: false, value: told });
    else this.events.push(told);
    if (!this.hasBegun && this.events.length > this.trimAt) this.trim();
  }

  end(): void {
    this.isEnded = true;
    const left = this.waiting;
    this.waiting = [];
    for (const resolve of left) resolve({ done: true, value: undefined });
  }

  next(): Promise<IteratorResult<ReadEvent>> {
    this.hasBegun = true;
    const value = this.take();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (this.isEnded) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  return(): Promise<IteratorResult<ReadEvent>> {
    this.events = [];
    this.head = 0;
    this.end();
    this.onClose();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private take(): ReadEvent | undefined {
    const event = this.events[this.head];
    if (event === undefined) return undefined;
    this.head += 1;
    if (this.head > 1_024 && this.head * 2 > this.events.length) {
      this.events = this.events.slice(this.head);
      this.head = 0;
    }
    return event;
  }

  private trim(): void {
    this.events = newestOf(this.events, this.limit + this.keep);
    this.trimAt = this.events.length + Math.max(this.keep, 1);
  }
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

keepShape(createReader({ limit: 0, keep: 0, onClose: () => undefined }));
