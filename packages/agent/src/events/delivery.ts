import { redactSecrets } from "@sheepdog/guardian/secrets";
import type { AgentEvent, AgentEventBody } from "../protocol/events.ts";
import type { BusSessions } from "./bus-sessions.ts";
import type { Subscriber } from "./subscriber.ts";

/** An event that a listener emitted while another event was being delivered. */
interface Answer {
  readonly event: AgentEvent;
  /** The number of listeners, each triggered by the event of the one before, that led to this event. */
  readonly depth: number;
}

const MAX_DEPTH = 100;
const MAX_ANSWERS = 10_000;

/**
 * Delivers events to the subscribers, one event after the other. An event emitted by a listener is delivered after the
 * current ones, so that every subscriber sees the same order.
 */
export class Delivery {
  readonly globalSubscribers: Set<Subscriber> = new Set();
  /** The number of events delivered so far. */
  delivered = 0;
  readonly #sessions: BusSessions;
  readonly #onListenerError: (error: unknown) => void;
  readonly #answers: Answer[] = [];
  /** The depth of the event being delivered; undefined while none is. */
  #depth: number | undefined;

  constructor(sessions: BusSessions, onListenerError: (error: unknown) => void = warn) {
    this.#sessions = sessions;
    this.#onListenerError = onListenerError;
  }

  /** True while listeners answer each other without end: then nothing more is emitted, and that is reported. */
  isOverloaded(body: AgentEventBody): boolean {
    if ((this.#depth ?? 0) < MAX_DEPTH && this.#answers.length < MAX_ANSWERS) return false;
    this.#report(new Error(`Listeners answer events with further events without end: ${body.type} was not emitted.`));
    return true;
  }

  deliver(events: readonly AgentEvent[]): void {
    if (this.#depth !== undefined) {
      for (const event of events) this.#answers.push({ event, depth: this.#depth + 1 });
      return;
    }
    try {
      this.#depth = 0;
      for (const event of events) this.#deliverNow(event);
      for (let answer = this.#answers.shift(); answer !== undefined; answer = this.#answers.shift()) {
        this.#depth = answer.depth;
        this.#deliverNow(answer.event);
      }
    } finally {
      this.#depth = undefined;
    }
  }

  #deliverNow(event: AgentEvent): void {
    const session = this.#sessions.get(event.sessionId);
    this.#sessions.addToReplay(session, event);
    this.delivered += 1;
    for (const subscribers of [this.globalSubscribers, session.subscribers])
      for (const subscriber of subscribers)
        if (subscriber.from <= this.delivered && accepts(subscriber, event)) this.#call(subscriber, event);
  }

  #call(subscriber: Subscriber, event: AgentEvent): void {
    try {
      const answer = subscriber.listener(event);
      if (typeof answer === "object") Promise.resolve(answer).catch((error) => this.#onFailure(subscriber, error));
    } catch (error) {
      this.#onFailure(subscriber, error);
    }
  }

  #onFailure(subscriber: Subscriber, error: unknown): void {
    if (!subscriber.hasFailed) this.#report(error);
    subscriber.hasFailed = true;
  }

  #report(error: unknown): void {
    try {
      this.#onListenerError(error);
    } catch (reportingError) {
      warn(reportingError);
    }
  }
}

function accepts({ runId, types }: Subscriber, event: AgentEvent): boolean {
  if (runId !== undefined && runId !== event.runId) return false;
  return types === undefined || types.includes(event.type);
}

function warn(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.emitWarning(`An event listener failed: ${redactSecrets(message)}`);
}
