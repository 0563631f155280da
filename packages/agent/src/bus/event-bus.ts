import type { AgentEvent, AgentEventBody, AgentEventType } from "../events.ts";
import { keepShape } from "../keep-shape.ts";
import type { Mask } from "./mask-deep.ts";
import { maskEvent } from "./mask-event.ts";
import { maskText } from "./mask-text.ts";
import { createReader, type ReadEvent } from "./reader.ts";
import { createSessions, type Session, type Sessions } from "./sessions.ts";
import { isTerminal, severities } from "./severity.ts";
import { takeHeld, wholeWords } from "./whole-words.ts";

/** Which run of which session an event belongs to. */
export interface Place {
  readonly sessionId: string;
  readonly runId: string;
}

/** Hears events while they happen. A promise it returns is not waited for. */
export type Listener = (event: AgentEvent) => unknown;

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
  emit(place: Place, body: AgentEventBody, made?: AgentEvent[]): void;
  /**
   * The events that `emit` would tell, numbered and without secrets, to be told later. Until then what comes after them in their session waits, so that
   * everybody hears the numbers in order; what is not told when its run ends is left out.
   */
  make(place: Place, body: AgentEventBody): readonly AgentEvent[];
  /** Tells an event that was made here; once, however often it is called. */
  tell(event: AgentEvent): void;
  /** Leaves out events that were made here and not told. */
  forget(events: readonly AgentEvent[]): void;
  /** The number of the newest event of a session, told or not; 0 where there is none. */
  lastSeq(sessionId: string): number;
  /** Called at once for each event; returns what ends it. Those of every session are called before those of one. */
  subscribe(listener: Listener | Subscription): () => void;
  /** What was, as far as it is kept, then what comes; read at the reader's own pace. */
  stream(session: string | StreamOptions, afterSeq?: number): AsyncIterableIterator<ReadEvent>;
  /** Goes on counting behind events that an earlier process emitted. */
  resume(sessionId: string, lastSeq: number): void;
}

interface Subscribed {
  readonly listener: Listener;
  readonly runId: string | undefined;
  readonly types: readonly AgentEventType[] | undefined;
  /** Number of the first event it hears. */
  readonly from: number;
  hasFailed: boolean;
}

interface Pending {
  readonly event: AgentEvent;
  /** How many listeners, each called by what the one before emitted, led to this event. */
  readonly depth: number;
}

const maxDepth = 100;
const maxPending = 10_000;

/** Makes an event bus. */
export function createEventBus(options: EventBusOptions): EventBus {
  return new Bus(options);
}

class Bus implements EventBus {
  private readonly now: () => number;
  private readonly keep: number;
  private readonly queueLimit: number;
  private readonly mask: Mask;
  private readonly onListenerError: (error: unknown) => void;
  private readonly sessions: Sessions<Subscribed>;
  private readonly ofEverySession = new Set<Subscribed>();
  private readonly pending: Pending[] = [];
  /** Of the event that is being told; -1 while none is. */
  private depth = -1;
  private told = 0;
  /** The stamp of the event that is being made, which copies it: one for all. */
  private readonly next = { seq: 0, at: Date.now(), sessionId: "", runId: "", severity: severities.RunStarted };

  constructor({ now, keep = 2_000, keepSessions = 128, queue = 1_000, mask = maskText, onListenerError = warn }: EventBusOptions) {
    this.now = now;
    this.keep = keep;
    this.queueLimit = queue;
    this.mask = mask;
    this.onListenerError = onListenerError;
    this.sessions = createSessions<Subscribed>(keep, keepSessions);
  }

  emit({ sessionId, runId }: Place, body: AgentEventBody, made?: AgentEvent[]): void {
    const session = this.sessions.of(sessionId);
    if (session.held.size > 0 || session.untold.size > 0) {
      this.emitBehind(session, this.number(session, runId, body), made);
      return;
    }
    const ready = this.isRefused(body) ? undefined : wholeWords(session.held, runId, body);
    if (ready === undefined) return;
    const event = this.stamp(session, runId, ready);
    made?.push(event);
    this.tellInTurn(session, event);
  }

  make({ sessionId, runId }: Place, body: AgentEventBody): readonly AgentEvent[] {
    const session = this.sessions.of(sessionId);
    return wait(session, this.number(session, runId, body));
  }

  tell(event: AgentEvent): void {
    const session = this.sessions.of(event.sessionId);
    const next = session.untold.take(event);
    if (next.length > 0) this.tellAll(next);
    else this.sessions.release(session); // perhaps it was asked for just now
  }

  forget(events: readonly AgentEvent[]): void {
    for (const sessionId of new Set(events.map((event) => event.sessionId))) {
      const session = this.sessions.of(sessionId);
      const next = session.untold.drop(events);
      if (next.length > 0) this.tellAll(next);
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
    const { listener, sessionId, runId, types, signal }: Subscription = typeof wanted === "function" ? { listener: wanted } : wanted;
    if (signal?.aborted === true) return () => undefined;
    const one: Subscribed = { listener, runId, types, from: this.told + 1, hasFailed: false };
    const session = sessionId === undefined ? undefined : this.sessions.of(sessionId);
    const listeners = session?.subscribed ?? this.ofEverySession;
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
    }: StreamOptions = typeof session === "string" ? { sessionId: session, ...(after === undefined ? {} : { afterSeq: after }) } : session;
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
    const unsubscribe = this.subscribe({ listener: (event) => read(event, 0), sessionId, ...(runId === undefined ? {} : { runId }) });
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
  private emitBehind(session: Session<Subscribed>, events: readonly AgentEvent[], made: AgentEvent[] | undefined): void {
    if (made !== undefined) for (const event of events) made.push(event);
    if (session.untold.size === 0) this.tellAll(events);
    else for (const event of wait(session, events)) this.tell(event);
  }

  private number(session: Session<Subscribed>, runId: string, body: AgentEventBody): readonly AgentEvent[] {
    if (this.isRefused(body)) return [];
    const before = takeHeld(session.held, runId, body);
    const ready = wholeWords(session.held, runId, body);
    if (before === undefined) return ready === undefined ? [] : [this.stamp(session, runId, ready)];
    const first = this.stamp(session, runId, before);
    return ready === undefined ? [first] : [first, this.stamp(session, runId, ready)];
  }

  /** Not emitted, and reported: listeners answer each other without end. */
  private isRefused({ type }: AgentEventBody): boolean {
    if (this.depth < maxDepth && this.pending.length < maxPending) return false;
    this.report(new Error(`Listeners answer events with further events without end: ${type} was not emitted.`));
    return true;
  }

  private stamp(session: Session<Subscribed>, runId: string, body: AgentEventBody): AgentEvent {
    const { next } = this;
    session.lastSeq += 1;
    next.seq = session.lastSeq;
    next.at = this.now();
    next.sessionId = session.id;
    next.runId = runId;
    next.severity = severities[body.type];
    return maskEvent(body, next, this.mask);
  }

  /** What a listener emits is told after the present events, so that everybody hears the same order. */
  private tellInTurn(session: Session<Subscribed>, event: AgentEvent): void {
    if (this.depth >= 0) {
      this.pending.push({ event, depth: this.depth + 1 });
      return;
    }
    try {
      this.depth = 0;
      this.tellNow(session, event);
      if (this.pending.length > 0) this.tellPending();
    } finally {
      this.depth = -1;
    }
  }

  private tellAll(events: readonly AgentEvent[]): void {
    if (this.depth >= 0) {
      for (const event of events) this.pending.push({ event, depth: this.depth + 1 });
      return;
    }
    try {
      this.depth = 0;
      for (const event of events) this.tellNow(this.sessions.of(event.sessionId), event);
      this.tellPending();
    } finally {
      this.depth = -1;
    }
  }

  private tellPending(): void {
    for (let next = this.pending.shift(); next !== undefined; next = this.pending.shift()) {
      this.depth = next.depth;
      this.tellNow(this.sessions.of(next.event.sessionId), next.event);
    }
  }

  private tellNow(session: Session<Subscribed>, event: AgentEvent): void {
    this.sessions.replayOf(session).add(event);
    this.told += 1;
    for (const one of this.ofEverySession) if (one.from <= this.told && wants(one, event)) this.call(one, event);
    if (session.subscribed.size === 0) return;
    for (const one of session.subscribed) if (one.from <= this.told && wants(one, event)) this.call(one, event);
  }

  private call(one: Subscribed, event: AgentEvent): void {
    try {
      const answer = one.listener(event);
      if (typeof answer === "object" && answer !== null) this.watch(one, answer);
    } catch (error) {
      this.failed(one, error);
    }
  }

  private watch(one: Subscribed, answer: object): void {
    Promise.resolve(answer).then(undefined, (error) => this.failed(one, error));
  }

  private failed(one: Subscribed, error: unknown): void {
    if (!one.hasFailed) this.report(error);
    one.hasFailed = true;
  }

  private report(error: unknown): void {
    try {
      this.onListenerError(error);
    } catch (reporting) {
      warn(reporting);
    }
  }
}

function wait({ untold }: Session<Subscribed>, made: readonly AgentEvent[]): readonly AgentEvent[] {
  for (const event of made) untold.add(event);
  return made;
}

function wants({ runId, types }: Subscribed, event: AgentEvent): boolean {
  if (runId !== undefined && runId !== event.runId) return false;
  return types === undefined || types.includes(event.type);
}

function warn(error: unknown): void {
  process.emitWarning(`An event listener failed: ${maskText(error instanceof Error ? error.message : String(error))}`);
}

keepShape(new Bus({ now: () => 0 }));
