/** What the clients of this process have received, all together. */
export interface MessageLog {
  /** Notes a saved message of a client that follows, and returns whether it is the one that others got. */
  saved(position: number, message: Buffer, arrivedAt: number): boolean;
  /** Notes a live message of the client that measures those. */
  live(message: Buffer, arrivedAt: number): void;
  /** The `session:seq` of every event of a saved message. */
  keysOf(position: number): string | undefined;
  /** Counts from now on. Messages that happened before are not counted: a client that catches up gets them late. */
  startCounting(): void;
  counts(): Counts;
}

/** How late messages came: how many by milliseconds. */
export interface Counts {
  readonly savedLatency: Histogram;
  readonly liveLatency: Histogram;
  /** Deltas that the measuring client got. */
  readonly deltas: number;
}

/** How often each number of milliseconds occurred. */
export type Histogram = Readonly<Record<number, number>>;

interface Known {
  readonly message: Buffer;
  readonly keys: string;
  /** The time of the newest event. */
  readonly at: number;
}

interface SentEvent {
  readonly type: string;
  readonly sessionId: string;
  readonly seq: number;
  readonly at: number;
}

/** Creates a log. Only the first copy of a saved message is parsed; the others are compared with it. */
export function createMessageLog(): MessageLog {
  const known = new Map<number, Known>();
  let since = Number.POSITIVE_INFINITY;
  let savedLatency: Record<number, number> = {};
  let liveLatency: Record<number, number> = {};
  let deltas = 0;
  return {
    saved(position, message, arrivedAt) {
      let first = known.get(position);
      if (first === undefined) {
        const events = eventsOf(message);
        const keys = keysOfEvents(events);
        first = { message: Buffer.from(message), keys, at: events.at(-1)?.at ?? 0 };
        known.set(position, first);
      }
      if (first.at >= since) count(savedLatency, arrivedAt - first.at);
      return first.message.equals(message);
    },
    live(message, arrivedAt) {
      for (const { type, at } of eventsOf(message)) {
        if (type !== "TextDelta" || at < since) continue;
        deltas += 1;
        count(liveLatency, arrivedAt - at);
      }
    },
    keysOf: (position) => known.get(position)?.keys,
    startCounting() {
      since = Date.now();
      savedLatency = {};
      liveLatency = {};
      deltas = 0;
    },
    counts: () => ({ savedLatency, liveLatency, deltas }),
  };
}

/** The `session:seq` of events, as one text. */
export function keysOfEvents(events: readonly Pick<SentEvent, "sessionId" | "seq">[]): string {
  return events.map(({ sessionId, seq }) => `${sessionId}:${seq}`).join(" ");
}

function eventsOf(message: Buffer): readonly SentEvent[] {
  const text = message.toString("utf8");
  const { events } = JSON.parse(text.slice(text.indexOf("data: ") + 6)) as { readonly events: readonly SentEvent[] };
  return events; // as the contract of the stream says
}

function count(histogram: Record<number, number>, ms: number): void {
  const whole = Math.max(0, Math.round(ms));
  histogram[whole] = (histogram[whole] ?? 0) + 1;
}
