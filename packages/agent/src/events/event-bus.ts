import { keepShape } from "../async/keep-shape.ts";
import type { AgentEvent, AgentEventBody, AgentEventType } from "../protocol/events.ts";
import type { Mask } from "../secrets/redact-deep.ts";
import { redactEvent } from "../secrets/redact-event.ts";
import { redactText } from "../secrets/redact-text.ts";
import { type BusSession, type BusSessions, createBusSessions } from "./bus-sessions.ts";
import { Delivery, type Listener, type Subscriber } from "./delivery.ts";
import { createReader, type ReadEvent } from "./event-stream.ts";
import { takeHeld, wholeWords } from "./held-deltas.ts";
import { isTerminal } from "./severity.ts";

/** Which run of which session an event belongs to. */
export interface RunRef {
  readonly sessionId: string;
  readonly runId: string;
}

/** A listener that hears only what it asks for. */
export interface Subscription {
  readonly listener: Listener;
  readonly sessionId?: string;
  readonly runId?: string;
  readonly types?: readonly AgentEventType[];
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
}

/** What a reader wants to read. */
export interface StreamOptions {
  readonly sessionId: string;
  /** Only this run's events; the stream then ends with the run. */
  readonly runId?: string;
  /** The last event that was read before. */
  readonly afterSeq?: number;
  readonly signal?: AbortSignal;
}

export interface EventBusOptions {
  readonly now: () => number;
  /** How many deltas and how many other events of a session are kept for those who come late; 2,000. */
  readonly keep?: number;
  /** How many sessions are kept so; 128. */
  readonly keepSessions?: number;
  /** How many events may wait for a slow reader before deltas are dropped; 1,000. */
  readonly queue?: number;
  readonly mask?: Mask;
  /** Told once for each listener that throws or rejects. */
  readonly onListenerError?: (error: unknown) => void;
}

/** Where everything that happens is told. Nothing a listener or a reader does reaches the one who emits, or the other listeners. */
export interface EventBus {
  /**
   * Numbers the event within its session, takes secrets out, and tells everybody. The last word of a delta is told with the next event.
   * The events are put into `made` before anybody hears of them.
   */
  emit(place: RunRef, body: AgentEventBody, made?: AgentEvent[]): void;
  /**
   * The events that `emit` would tell, numbered and without secrets, to be told later. Until then what comes after them in their session waits, so that
   * everybody hears the numbers in order; what is not told when its run ends is left out.
   */
  prepare(place: RunRef, body: AgentEventBody): readonly AgentEvent[];
  /** Tells an event that was made here; once, however often it is called. */
  publish(event: AgentEvent): void;
  /** Leaves out events that were made here and not told. */
  discard(events: readonly AgentEvent[]): void;
  /** The number of the newest event of a session, told or not; 0 where there is none. */
  lastSeq(sessionId: string): number;
  /** Called at once for each event; returns what ends it. Those of every session are called before those of one. */
  subscribe(listener: Listener | Subscription): () => void;
  /** What was, as far as it is kept, then what comes; read at the reader's own pace. */
  stream(session: string | StreamOptions, afterSeq?: number): AsyncIterableIterator<ReadEvent>;
  /** Goes on counting behind events that an earlier process emitted. */
  resume(sessionId: string, lastSeq: number): void;
}

/** Makes an event bus. */
export function createEventBus(options: EventBusOptions): EventBus {
  return new Bus(options);
}

class Bus implements EventBus {
  private readonly now: () => number;
  private readonly keep: number;
  private readonly queueLimit: number;
  private readonly mask: Mask;
  private readonly sessions: BusSessions<Subscriber>;
  private readonly telling: Delivery;

  constructor({
    now,
    keep = 2_000,
    keepSessions = 128,
    queue = 1_000,
    mask = redactText,
    onListenerError,
  }: EventBusOptions) {
    this.now = now;
    this.keep = keep;
    this.queueLimit = queue;
    this.mask = mask;
    this.sessions = createBusSessions<Subscriber>(keep, keepSessions);
    this.telling = new Delivery(this.sessions, onListenerError);
  }

  emit({ sessionId, runId }: RunRef, body: AgentEventBody, made?: AgentEvent[]): void {
    const session = this.sessions.of(sessionId);
    if (session.held.length > 0 || session.pending.size > 0) {
      this.emitBehind(session, this.number(session, runId, body), made);
      return;
    }
    const ready = this.telling.refuses(body) ? undefined : wholeWords(session.held, runId, body);
    if (ready === undefined) return;
    const event = this.stamp(session, runId, ready);
    made?.push(event);
    this.telling.tell(session, event);
  }

  prepare({ sessionId, runId }: RunRef, body: AgentEventBody): readonly AgentEvent[] {
    const session = this.sessions.of(sessionId);
    return wait(session, this.number(session, runId, body));
  }

  publish(event: AgentEvent): void {
    const session = this.sessions.of(event.sessionId);
    const next = session.pending.take(event);
    if (next.length > 0) this.telling.tellAll(next);
    else this.sessions.release(session); // perhaps it was asked for just now
  }

  discard(events: readonly AgentEvent[]): void {
    for (const sessionId of new Set(events.map((event) => event.sessionId))) {
      const session = this.sessions.of(sessionId);
      const next = session.pending.drop(events);
      if (next.length > 0) this.telling.tellAll(next);
      else this.sessions.release(session);
    }
  }

  lastSeq(sessionId: string): number {
    const session = this.sessions.of(sessionId);
    const last = session.lastSeq;
    this.sessions.release(session);
    return last;
  }

  subscribe(wanted: Listener | Subscription): () => void {
    const { listener, sessionId, runId, types, signal }: Subscription =
      typeof wanted === "function" ? { listener: wanted } : wanted;
    if (signal?.aborted === true) return () => undefined;
    const one: Subscriber = { listener, runId, types, from: this.telling.told + 1, hasFailed: false };
    const session = sessionId === undefined ? undefined : this.sessions.of(sessionId);
    const listeners = session?.subscribed ?? this.telling.toEverybody;
    const unsubscribe = () => {
      listeners.delete(one);
      if (session !== undefined) this.sessions.release(session);
      signal?.removeEventListener("abort", unsubscribe);
    };
    listeners.add(one);
    signal?.addEventListener("abort", unsubscribe, { once: true });
    return unsubscribe;
  }

  stream(session: string | StreamOptions, after?: number): AsyncIterableIterator<ReadEvent> {
    const {
      sessionId,
      runId,
      afterSeq = 0,
      signal,
    }: StreamOptions = typeof session === "string"
      ? { sessionId: session, ...(after === undefined ? {} : { afterSeq: after }) }
      : session;
    const close = () => {
      unsubscribe();
      signal?.removeEventListener("abort", end);
    };
    const reader = createReader({ limit: this.queueLimit, keep: this.keep, onClose: close });
    const end = () => {
      reader.end();
      close();
    };
    const read = (event: AgentEvent, missed: number) => {
      reader.push(event, missed);
      if (runId !== undefined && isTerminal(event)) end();
    };
    const unsubscribe = this.subscribe({
      listener: (event) => read(event, 0),
      sessionId,
      ...(runId === undefined ? {} : { runId }),
    });
    let last = afterSeq;
    for (const event of this.sessions.of(sessionId).replay?.after(afterSeq) ?? []) {
      if (runId === undefined) read(event, event.seq - last - 1);
      else if (event.runId === runId) read(event, 0);
      last = event.seq;
    }
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end, { once: true });
    return reader;
  }

  resume(sessionId: string, lastSeq: number): void {
    const session = this.sessions.of(sessionId);
    session.lastSeq = Math.max(lastSeq, session.lastSeq);
    this.sessions.release(session);
  }

  /** Emits where something of the session is told before: words that were held back, or what is to be told later. */
  private emitBehind(
    session: BusSession<Subscriber>,
    events: readonly AgentEvent[],
    made: AgentEvent[] | undefined,
  ): void {
    if (made !== undefined) for (const event of events) made.push(event);
    if (session.pending.size === 0) this.telling.tellAll(events);
    else for (const event of wait(session, events)) this.publish(event);
  }

  private number(session: BusSession<Subscriber>, runId: string, body: AgentEventBody): readonly AgentEvent[] {
    if (this.telling.refuses(body)) return [];
    const before = takeHeld(session.held, runId, body);
    const ready = wholeWords(session.held, runId, body);
    if (before === undefined) return ready === undefined ? [] : [this.stamp(session, runId, ready)];
    const first = this.stamp(session, runId, before);
    return ready === undefined ? [first] : [first, this.stamp(session, runId, ready)];
  }

  private stamp(session: BusSession<Subscriber>, runId: string, body: AgentEventBody): AgentEvent {
    session.lastSeq += 1;
    return redactEvent(body, { seq: session.lastSeq, at: this.now(), sessionId: session.id, runId }, this.mask);
  }
}

function wait({ pending }: BusSession<Subscriber>, made: readonly AgentEvent[]): readonly AgentEvent[] {
  for (const event of made) pending.add(event);
  return made;
}

keepShape(new Bus({ now: () => 0 }));
