import type { AgentEventBody } from "../protocol/events.ts";
import { publishableLength } from "../secrets/publishable-prefix.ts";
import { type DeltaType, isDelta } from "./severity.ts";

type DeltaBody = Extract<AgentEventBody, { readonly type: DeltaType }>;

/** The unpublished ends of the streams of a session, at most one a run. */
export interface HeldDeltas {
  readonly size: number;
  /** Removes and returns the held end of a run's stream if `next` belongs to another stream: it is published first. */
  takeBefore(runId: string, next: AgentEventBody): DeltaBody | undefined;
  /** The part of an event that can be published: a delta is cut at a space and its end held back. */
  publishablePart(runId: string, body: AgentEventBody): AgentEventBody | undefined;
}

export function createHeldDeltas(): HeldDeltas {
  const held = new Map<string, DeltaBody>();
  return {
    get size() {
      return held.size;
    },
    takeBefore(runId, next) {
      const delta = held.get(runId);
      if (delta === undefined || (isDelta(next) && streamOf(next) === streamOf(delta))) return undefined;
      held.delete(runId);
      return delta;
    },
    publishablePart(runId, body) {
      if (!isDelta(body)) return body;
      const text = (held.get(runId)?.text ?? "") + body.text;
      const length = publishableLength(text);
      if (length < text.length) held.set(runId, { ...body, text: text.slice(length) });
      else held.delete(runId);
      return length === 0 ? undefined : { ...body, text: text.slice(0, length) };
    },
  };
}

function streamOf(body: DeltaBody): string {
  return "callId" in body ? `${body.type} ${body.callId}` : body.type;
}
