import type { AgentEvent, AgentEventBody, AgentEventType } from "../events.ts";
import type { Mask } from "./mask-deep.ts";
import { maskEvent } from "./mask-event.ts";
import { maskText } from "./mask-text.ts";
import { createReader, type ReadEvent } from "./reader.ts";
import { createSessions, type Session } from "./sessions.ts";
import { isTerminal, severities } from "./severity.ts";
import { wholeWords } from "./whole-words.ts";

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
  /** Numbers the event within its session, takes secrets out, and tells everybody. The last word of a delta is told with the next event. */
  emit(place: Place, body: AgentEventBody): void;
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

interface Subscribed extends Subscription {
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
  const { now, keep = 2_000, keepSessions = 128, queue: queueLimit = 1_000, mask = maskText, onListenerError = warn } = options;
  const sessions = createSessions<Subscribed>(keep, keepSessions);
  const ofEverySession = new Set<Subscribed>();
  const pending: Pending[] = [];
  let depth = -1; // of the event that is being told; -1 while none is
  let told = 0;

  function emit(place: Place, body: AgentEventBody): void {
    const session = sessions.of(place.sessionId);
    const made = number(session, place.runId, body);
    if (session.untold.size === 0) tellInTurn(made);
    else for (const event of wait(session, made)) tell(event);
  }

  function make({ sessionId, runId }: Place, body: AgentEventBody): readonly AgentEvent[] {
    const session = sessions.of(sessionId);
    return wait(session, number(session, runId, body));
  }

  function number(session: Session<Subscribed>, runId: string, body: AgentEventBody): readonly AgentEvent[] {
    if (depth >= maxDepth || pending.length >= maxPending) {
      report(new Error(`Listeners answer events with further events without end: ${body.type} was not emitted.`));
      return [];
    }
    return wholeWords(session.held, runId, body).map((whole) => {
      session.lastSeq += 1;
      return maskEvent(whole, { seq: session.lastSeq, at: now(), sessionId: session.id, runId, severity: severities[whole.type] }, mask);
    });
  }

  function wait({ untold }: Session<Subscribed>, made: readonly AgentEvent[]): readonly AgentEvent[] {
    for (const event of made) untold.add(event);
    return made;
  }

  function tell(event: AgentEvent): void {
    const session = sessions.of(event.sessionId);
    const next = session.untold.take(event);
    if (next.length > 0) tellInTurn(next);
    else sessions.release(session); // perhaps it was asked for just now
  }

  function forget(events: readonly AgentEvent[]): void {
    for (const sessionId of new Set(events.map((event) => event.sessionId))) {
      const session = sessions.of(sessionId);
      const next = session.untold.drop(events);
      if (next.length > 0) tellInTurn(next);
      else sessions.release(session);
    }
  }

  function lastSeq(sessionId: string): number {
    const session = sessions.of(sessionId);
    const last = session.lastSeq;
    sessions.release(session);
    return last;
  }

  /** What a listener emits is told after the present events, so that everybody hears the same order. */
  function tellInTurn(events: readonly AgentEvent[]): void {
    for (const event of events) pending.push({ event, depth: depth + 1 });
    if (depth >= 0) return;
    try {
      for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
        depth = next.depth;
        tellNow(next.event);
      }
    } finally {
      depth = -1;
    }
  }

  function tellNow(event: AgentEvent): void {
    const session = sessions.of(event.sessionId);
    sessions.replayOf(session).add(event);
    told += 1;
    for (const one of ofEverySession) if (one.from <= told && wants(one, event)) call(one, event);
    for (const one of session.subscribed) if (one.from <= told && wants(one, event)) call(one, event);
  }

  function call(one: Subscribed, event: AgentEvent): void {
    try {
      const answer = one.listener(event);
      if (typeof answer === "object" && answer !== null) Promise.resolve(answer).then(undefined, (error) => failed(one, error));
    } catch (error) {
      failed(one, error);
    }
  }

  function failed(one: Subscribed, error: unknown): void {
    if (!one.hasFailed) report(error);
    one.hasFailed = true;
  }

  function report(error: unknown): void {
    try {
      onListenerError(error);
    } catch (reporting) {
      warn(reporting);
    }
  }

  function subscribe(wanted: Listener | Subscription): () => void {
    const given: Subscription = typeof wanted === "function" ? { listener: wanted } : wanted;
    const { sessionId, signal } = given;
    if (signal?.aborted === true) return () => undefined;
    const one: Subscribed = { ...given, from: told + 1, hasFailed: false };
    const session = sessionId === undefined ? undefined : sessions.of(sessionId);
    const listeners = session?.subscribed ?? ofEverySession;
    const unsubscribe = () => {
      listeners.delete(one);
      if (session !== undefined) sessions.release(session);
      signal?.removeEventListener("abort", unsubscribe);
    };
    listeners.add(one);
    signal?.addEventListener("abort", unsubscribe, { once: true });
    return unsubscribe;
  }

  function stream(session: string | StreamOptions, after?: number): AsyncIterableIterator<ReadEvent> {
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
    const reader = createReader({ limit: queueLimit, keep, onClose: close });
    const end = () => {
      reader.end();
      close();
    };
    const read = (event: AgentEvent, missed: number) => {
      reader.push(event, missed);
      if (runId !== undefined && isTerminal(event)) end();
    };
    const unsubscribe = subscribe({ listener: (event) => read(event, 0), sessionId, ...(runId === undefined ? {} : { runId }) });
    let last = afterSeq;
    for (const event of sessions.of(sessionId).replay?.after(afterSeq) ?? []) {
      if (runId === undefined) read(event, event.seq - last - 1);
      else if (event.runId === runId) read(event, 0);
      last = event.seq;
    }
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end, { once: true });
    return reader;
  }

  function resume(sessionId: string, lastSeq: number): void {
    const session = sessions.of(sessionId);
    session.lastSeq = Math.max(lastSeq, session.lastSeq);
    sessions.release(session);
  }

  return { emit, make, tell, forget, lastSeq, subscribe, stream, resume };
}

function wants({ runId, types }: Subscription, event: AgentEvent): boolean {
  if (runId !== undefined && runId !== event.runId) return false;
  return types === undefined || types.includes(event.type);
}

function warn(error: unknown): void {
  process.emitWarning(`An event listener failed: ${maskText(error instanceof Error ? error.message : String(error))}`);
}
