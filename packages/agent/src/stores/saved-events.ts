import type { AgentEvent } from "../protocol/events.ts";
import { isRecord, parseJson } from "../protocol/json.ts";

/** Sequence numbers of a session's events are below this limit. */
export const eventSeqLimit: number = 2 ** 30;

/** Throws when an event belongs to another session or has no valid sequence number. */
export function checkEvents(sessionId: string, events: readonly AgentEvent[]): void {
  for (const event of events) {
    if (event.sessionId !== sessionId)
      throw new Error(`Expected an event of session ${sessionId}, got one of ${event.sessionId}.`);
    if (!Number.isSafeInteger(event.seq) || event.seq < 1 || event.seq >= eventSeqLimit)
      throw new Error(`Expected an event with a number from 1 to ${eventSeqLimit - 1}, got ${event.seq}.`);
  }
}

/**
 * The events above a sequence number, in order, from JSON lists of events. Of duplicates, the first one stays. A list
 * that cannot be read is left out: it must not hide the others. Reads no further list when `limit` events are found.
 */
export function eventsAfter(
  jsonLists: Iterable<string>,
  seq: number,
  limit: number = Number.POSITIVE_INFINITY,
): readonly AgentEvent[] {
  const bySeq = new Map<number, AgentEvent>();
  if (limit < 1) return [];
  for (const json of jsonLists) {
    for (const event of parseEvents(json)) if (event.seq > seq && !bySeq.has(event.seq)) bySeq.set(event.seq, event);
    if (bySeq.size >= limit) break;
  }
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq).slice(0, limit);
}

/** The events of a commit whose sequence numbers are not stored yet. Of duplicates, the first one stays. */
export function withoutStored(events: readonly AgentEvent[], storedSeqs: ReadonlySet<number>): readonly AgentEvent[] {
  const bySeq = new Map<number, AgentEvent>();
  for (const event of events) if (!storedSeqs.has(event.seq) && !bySeq.has(event.seq)) bySeq.set(event.seq, event);
  return [...bySeq.values()];
}

function parseEvents(json: string): readonly AgentEvent[] {
  const events = parseJson(json);
  return Array.isArray(events) ? events.filter((event) => isRecord(event) && typeof event["seq"] === "number") : [];
}
