import type { AgentEvent } from "../events.ts";

/** Throws where an event is of another session, or has no number to be found by. */
export function checkEvents(sessionId: string, events: readonly AgentEvent[]): void {
  for (const event of events) {
    if (event.sessionId !== sessionId) throw new Error(`Expected an event of session ${sessionId}, got one of ${event.sessionId}.`);
    if (!Number.isSafeInteger(event.seq) || event.seq < 1) throw new Error(`Expected an event with a number from 1 on, got ${event.seq}.`);
  }
}
