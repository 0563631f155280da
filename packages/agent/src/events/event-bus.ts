import type { AgentEvent, AgentEventBody, AgentEventType } from "../protocol/events.ts";
import type { RunRef } from "../protocol/run.ts";
import { createRedact, type Redact } from "../secrets/redact.ts";
import { redactEvent } from "../secrets/redact-event.ts";
import { createValueMask } from "../secrets/value-mask.ts";
import { type BusSession, type BusSessions, createBusSessions } from "./bus-sessions.ts";
import { Delivery } from "./delivery.ts";
import { createEventStream, type StreamedEvent } from "./event-stream.ts";
import { isTerminal, severities } from "./severity.ts";
import type { Listener, Subscriber } from "./subscriber.ts";

/** A listener with a filter. */
export interface Subscription {
  readonly listener: Listener;
  readonly sessionId?: string;
  readonly runId?: string;
  readonly types?: readonly AgentEventType[];
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
}

/** What to stream. */
export interface StreamOptions {
  readonly sessionId: string;
  /** Only this run's events; the stream then ends with the run. */
  readonly runId?: string;
  /** The number of the last event that was read before. */
  readonly afterSeq?: number;
  readonly signal?: AbortSignal;
}

export interface EventBusOptions {
  readonly now: () => number;
  /** How many deltas and how many other events of a session are stored for late readers; default: 2,000. */
  readonly keep?: number;
  /** How many sessions have stored events; default: 128. */
  readonly keepSessions?: number;
  /** How many events may queue up for a slow reader before deltas are dropped; default: 1,000. */
  readonly queue?: number;
  /** Removes secrets from every text; default: those with a known form. */
  readonly redact?: Redact;
  /** The values that `redact` replaces: a delta is never cut inside of one. */
  readonly secrets?: readonly string[];
  /** Called once for each listener that throws or rejects. */
  readonly onListenerError?: (error: unknown) => void;
}

/** Publishes what happens in runs. A failing or slow listener affects neither the emitter nor other listeners. */
export interface EventBus {
  /** Numbers the event within its session, redacts it and publishes it. The last word of a delta is held back. */
  emit(run: RunRef, body: AgentEventBody): void;
  /**
   * Numbers and redacts like `emit`, and returns the events to publish later. Until then later events of the session
   * wait, so that every reader sees the numbers in order. Events not published when their run ends are discarded.
   */
  prepare(run: RunRef, body: AgentEventBody): readonly AgentEvent[];
  /** Publishes a prepared event; a second call does nothing. */
  publish(event: AgentEvent): void;
  /** Discards prepared events. */
  discard(events: readonly AgentEvent[]): void;
  /** The number of the newest event of a session, published or not; 0 if there is none. */
  lastSeq(sessionId: string): number;
  /** Calls the listener for each event, global subscribers first; returns the function that unsubscribes. */
  subscribe(listener: Listener | Subscription): () => void;
  /** Past events as far as they are stored, then new ones, at the reader's own pace. */
  stream(options: StreamOptions): AsyncIterableIterator<StreamedEvent>;
  /** Continues the numbering of a session behind the events of an earlier process. */
  resume(sessionId: string, lastSeq: number): void;
}

export function createEventBus(options: EventBusOptions): EventBus {
  return new InProcessEventBus(options);
}

class InProcessEventBus implements EventBus {
  readonly #now: () => number;
  readonly #redact: Redact;
  readonly #keep: number;
  readonly #queueLimit: number;
  readonly #sessions: BusSessions;
  readonly #delivery: Delivery;

  constructor(options: EventBusOptions) {
    const { now, keep = 2_000, keepSessions = 128, queue = 1_000, secrets = [], onListenerError } = options;
    const { redact = createRedact(secrets) } = options;
    this.#now = now;
    this.#redact = redact;
    this.#keep = keep;
    this.#queueLimit = queue;
    this.#sessions = createBusSessions({ keep, keepSessions, values: createValueMask(secrets) });
    this.#delivery = new Delivery(this.#sessions, onListenerError);
  }

  emit(run: RunRef, body: AgentEventBody): void {
    for (const event of this.prepare(run, body)) this.publish(event);
  }

  prepare({ sessionId, runId }: RunRef, body: AgentEventBody): readonly AgentEvent[] {
    if (this.#delivery.isOverloaded(body)) return [];
    const session = this.#sessions.get(sessionId);
    const bodies = [...session.held.takeBefore(runId, body), session.held.publishablePart(runId, body)];
    const events = bodies.flatMap((each) => (each === undefined ? [] : [this.#createEvent(session, runId, each)]));
    for (const event of events) session.pending.add(event);
    return events;
  }

  publish(event: AgentEvent): void {
    const session = this.#sessions.get(event.sessionId);
    this.#deliver(session, session.pending.take(event));
  }

  discard(events: readonly AgentEvent[]): void {
    for (const sessionId of new Set(events.map((event) => event.sessionId))) {
      const session = this.#sessions.get(sessionId);
      this.#deliver(session, session.pending.drop(events));
    }
  }

  lastSeq(sessionId: string): number {
    const session = this.#sessions.get(sessionId);
    this.#sessions.release(session);
    return session.lastSeq;
  }

  subscribe(subscription: Listener | Subscription): () => void {
    const { listener, sessionId, runId, types, signal }: Subscription =
      typeof subscription === "function" ? { listener: subscription } : subscription;
    if (signal?.aborted === true) return () => undefined;
    const subscriber: Subscriber = {
      listener,
      runId,
      types,
      from: this.#delivery.delivered + 1,
      hasFailed: false,
    };
    const session = sessionId === undefined ? undefined : this.#sessions.get(sessionId);
    const subscribers = session?.subscribers ?? this.#delivery.globalSubscribers;
    const unsubscribe = () => {
      subscribers.delete(subscriber);
      if (session !== undefined) this.#sessions.release(session);
      signal?.removeEventListener("abort", unsubscribe);
    };
    subscribers.add(subscriber);
    signal?.addEventListener("abort", unsubscribe, { once: true });
    return unsubscribe;
  }

  stream({ sessionId, runId, afterSeq = 0, signal }: StreamOptions): AsyncIterableIterator<StreamedEvent> {
    const close = () => {
      unsubscribe();
      signal?.removeEventListener("abort", end);
    };
    const stream = createEventStream({ limit: this.#queueLimit, keep: this.#keep, onClose: close });
    const end = () => {
      stream.end();
      close();
    };
    const push = (event: AgentEvent, missed: number) => {
      stream.push(event, missed);
      if (runId !== undefined && isTerminal(event)) end();
    };
    const unsubscribe = this.subscribe({
      listener: (event) => push(event, 0),
      sessionId,
      ...(runId === undefined ? {} : { runId }),
    });
    let lastSeq = afterSeq;
    for (const event of this.#sessions.get(sessionId).replay?.after(afterSeq) ?? []) {
      if (runId === undefined) push(event, event.seq - lastSeq - 1);
      else if (event.runId === runId) push(event, 0);
      lastSeq = event.seq;
    }
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end, { once: true });
    return stream;
  }

  resume(sessionId: string, lastSeq: number): void {
    const session = this.#sessions.get(sessionId);
    session.lastSeq = Math.max(lastSeq, session.lastSeq);
    this.#sessions.release(session);
  }

  #deliver(session: BusSession, events: readonly AgentEvent[]): void {
    if (events.length > 0) this.#delivery.deliver(events);
    else this.#sessions.release(session);
  }

  #createEvent(session: BusSession, runId: string, body: AgentEventBody): AgentEvent {
    session.lastSeq += 1;
    const { type, ...fields } = redactEvent(body, this.#redact);
    return Object.freeze({
      type,
      seq: session.lastSeq,
      at: this.#now(),
      sessionId: session.id,
      runId,
      severity: severities[type],
      ...fields,
    } as AgentEvent); // the fields are those of the event type
  }
}
