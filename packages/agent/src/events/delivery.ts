import { keepShape } from "../async/keep-shape.ts";
import type { AgentEvent, AgentEventBody, AgentEventType } from "../protocol/events.ts";
import { redactText } from "../secrets/redact-text.ts";
import { type BusSession, type BusSessions, createBusSessions } from "./bus-sessions.ts";

/** Hears events while they happen. A promise it returns is not waited for. */
export type Listener = (event: AgentEvent) => unknown;

/** A listener, and what it wants to hear. */
export interface Subscriber {
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

/** Tells events to those who listen, one after the other. What a listener emits is told after the present events, so that everybody hears the same order. */
export class Delivery {
  readonly toEverybody: Set<Subscriber> = new Set();
  /** How many events were told. */
  told = 0;
  private readonly sessions: BusSessions<Subscriber>;
  private readonly onListenerError: (error: unknown) => void;
  private readonly pending: Pending[] = [];
  /** Of the event that is being told; -1 while none is. */
  private depth = -1;

  constructor(sessions: BusSessions<Subscriber>, onListenerError: (error: unknown) => void = warn) {
    this.sessions = sessions;
    this.onListenerError = onListenerError;
  }

  /** Whether listeners answer each other without end: then nothing more is emitted, and that is reported. */
  refuses(body: AgentEventBody): boolean {
    if (this.depth < maxDepth && this.pending.length < maxPending) return false;
    this.report(new Error(`Listeners answer events with further events without end: ${body.type} was not emitted.`));
    return true;
  }

  tell(session: BusSession<Subscriber>, event: AgentEvent): void {
    if (this.depth >= 0) {
      this.pending.push({ event, depth: this.depth + 1 });
      return;
    }
    try {
      this.depth = 0;
      this.tellNow(session, event);
      this.tellPending();
    } finally {
      this.depth = -1;
    }
  }

  tellAll(events: readonly AgentEvent[]): void {
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
    while (this.pending.length > 0) {
      const { event, depth } = this.pending.shift() as Pending; // there is one
      this.depth = depth;
      this.tellNow(this.sessions.of(event.sessionId), event);
    }
  }

  private tellNow(session: BusSession<Subscriber>, event: AgentEvent): void {
    this.sessions.replayOf(session).add(event);
    this.told += 1;
    for (const one of this.toEverybody) if (one.from <= this.told && wants(one, event)) this.call(one, event);
    for (const one of session.subscribed) if (one.from <= this.told && wants(one, event)) this.call(one, event);
  }

  private call(one: Subscriber, event: AgentEvent): void {
    try {
      const answer = one.listener(event);
      if (typeof answer === "object" && answer !== null) this.watch(one, answer);
    } catch (error) {
      this.failed(one, error);
    }
  }

  private watch(one: Subscriber, answer: object): void {
    Promise.resolve(answer).then(undefined, (error) => this.failed(one, error));
  }

  private failed(one: Subscriber, error: unknown): void {
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

function wants({ runId, types }: Subscriber, event: AgentEvent): boolean {
  if (runId !== undefined && runId !== event.runId) return false;
  return types === undefined || types.includes(event.type);
}

function warn(error: unknown): void {
  process.emitWarning(
    `An event listener failed: ${redactText(error instanceof Error ? error.message : String(error))}`,
  );
}

keepShape(new Delivery(createBusSessions<Subscriber>(0, 0)));
