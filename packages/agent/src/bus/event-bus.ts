import { maskSecrets } from "@sheepdog/guardian";
import type { AgentEvent, AgentEventBody, AgentEventType } from "../events.ts";
import type { Mask } from "./mask-deep.ts";
import { maskEvent } from "./mask-event.ts";
import { createReader, type ReadEvent } from "./reader.ts";
import { createReplay, type Replay } from "./replay.ts";
import { isTerminal, severities } from "./severity.ts";
import { type HeldDelta, wholeWords } from "./whole-words.ts";

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
  /** Called at once for each event; returns what ends it. */
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
  readonly place: Place;
  readonly body: AgentEventBody;
  /** How many listeners, each called by what the one before emitted, led to this event. */
  readonly depth: number;
}

const maxDepth = 100;
const maxPending = 10_000;

/** Makes an event bus. */
export function createEventBus(options: EventBusOptions): EventBus {
  const { now, keep = 2_000, keepSessions = 128, queue: queueLimit = 1_000, mask = maskSecrets, onListenerError = warn } = options;
  const subscribed = new Set<Subscribed>();
  const lastSeqs = new Map<string, number>();
  const replays = new Map<string, Replay>();
  const held = new Map<string, HeldDelta>();
  const pending: Pending[] = [];
  let depth = -1; // of the event that is being told; -1 while none is
  let told = 0;

  function emit(place: Place, body: AgentEventBody): void {
    if (depth >= maxDepth || pending.length >= maxPending) {
      report(new Error(`Listeners answer events with further events without end: ${body.type} was not emitted.`));
      return;
    }
    pending.push({ place, body, depth: depth + 1 });
    if (depth >= 0) return; // told after the present one, so that everybody hears the same order
    try {
      for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
        depth = next.depth;
        for (const whole of wholeWords(held, runKey(next.place), next.body)) tell(next.place, whole);
      }
    } finally {
      depth = -1;
    }
  }

  function tell({ sessionId, runId }: Place, body: AgentEventBody): void {
    const seq = (lastSeqs.get(sessionId) ?? 0) + 1;
    lastSeqs.set(sessionId, seq);
    const event: AgentEvent = Object.freeze({ ...maskEvent(body, mask), seq, at: now(), sessionId, runId, severity: severities[body.type] });
    replayOf(sessionId).add(event);
    told += 1;
    for (const one of subscribed) if (one.from <= told && wants(one, event)) call(one, event);
  }

  function call(one: Subscribed, event: AgentEvent): void {
    const failed = (error: unknown) => {
      if (!one.hasFailed) report(error);
      one.hasFailed = true;
    };
    try {
      const answer = one.listener(event);
      if (typeof answer === "object" && answer !== null) Promise.resolve(answer).then(undefined, failed);
    } catch (error) {
      failed(error);
    }
  }

  function report(error: unknown): void {
    try {
      onListenerError(error);
    } catch (reporting) {
      warn(reporting);
    }
  }

  function replayOf(sessionId: string): Replay {
    const replay = replays.get(sessionId) ?? createReplay(keep);
    replays.delete(sessionId);
    replays.set(sessionId, replay); // the newest is last
    const [oldest] = replays.keys();
    if (replays.size > keepSessions && oldest !== undefined) replays.delete(oldest);
    return replay;
  }

  function subscribe(wanted: Listener | Subscription): () => void {
    const given: Subscription = typeof wanted === "function" ? { listener: wanted } : wanted;
    const one: Subscribed = { ...given, from: told + 1, hasFailed: false };
    const unsubscribe = () => {
      subscribed.delete(one);
      given.signal?.removeEventListener("abort", unsubscribe);
    };
    if (given.signal?.aborted === true) return unsubscribe;
    subscribed.add(one);
    given.signal?.addEventListener("abort", unsubscribe, { once: true });
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
    const reader = createReader(queueLimit, close);
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
    for (const event of replays.get(sessionId)?.after(afterSeq) ?? []) {
      if (runId === undefined) read(event, event.seq - last - 1);
      else if (event.runId === runId) read(event, 0);
      last = event.seq;
    }
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end, { once: true });
    return reader;
  }

  function resume(sessionId: string, lastSeq: number): void {
    lastSeqs.set(sessionId, Math.max(lastSeq, lastSeqs.get(sessionId) ?? 0));
  }

  return { emit, subscribe, stream, resume };
}

function wants({ sessionId, runId, types }: Subscription, event: AgentEvent): boolean {
  if (sessionId !== undefined && sessionId !== event.sessionId) return false;
  if (runId !== undefined && runId !== event.runId) return false;
  return types === undefined || types.includes(event.type);
}

function runKey({ sessionId, runId }: Place): string {
  return JSON.stringify([sessionId, runId]);
}

function warn(error: unknown): void {
  process.emitWarning(`An event listener failed: ${maskSecrets(error instanceof Error ? error.message : String(error))}`);
}
