import type { AgentEvent } from "../protocol/events.ts";

/** Events of a session have numbers below this. */
export const eventSeqLimit: number = 2 ** 30;

/** Throws where an event is of another session, or has no number to be found by. */
export function checkEvents(sessionId: string, events: readonly AgentEvent[]): void {
  for (const event of events) {
    if (event.sessionId !== sessionId)
      throw new Error(`Expected an event of session ${sessionId}, got one of ${event.sessionId}.`);
    if (!Number.isSafeInteger(event.seq) || event.seq < 1 || event.seq >= eventSeqLimit)
      throw new Error(`Expected an event with a number from 1 to ${eventSeqLimit - 1}, got ${event.seq}.`);
  }
}
