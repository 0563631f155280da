import type { AgentEventBody } from "../protocol/events.ts";
import { publishableLength } from "../secrets/publishable-prefix.ts";
import type { ValueMask } from "../secrets/value-mask.ts";
import { type DeltaType, isAboutRequest, isDelta, isTerminal } from "./severity.ts";

type DeltaBody = Extract<AgentEventBody, { readonly type: DeltaType }>;

/** The unpublished ends of the streams of a session, at most one a stream. */
export interface HeldDeltas {
  readonly size: number;
  /** Removes and returns the held ends of a run's streams that `next` completes: they are published before it. */
  takeBefore(runId: string, next: AgentEventBody): readonly DeltaBody[];
  /** The part of an event that can be published: a delta is cut at a space and its end held back. */
  publishablePart(runId: string, body: AgentEventBody): AgentEventBody | undefined;
}

export function createHeldDeltas(values: Pick<ValueMask, "cutBefore">): HeldDeltas {
  const held = new Map<string, { readonly runId: string; readonly delta: DeltaBody }>();
  return {
    get size() {
      return held.size;
    },
    takeBefore(runId, next) {
      const taken = [...held].filter(([, entry]) => entry.runId === runId && completes(next, entry.delta));
      for (const [key] of taken) held.delete(key);
      return taken.map(([, { delta }]) => delta);
    },
    publishablePart(runId, body) {
      if (!isDelta(body)) return body;
      const key = `${runId} ${streamOf(body)}`;
      const text = (held.get(key)?.delta.text ?? "") + body.text;
      const length = publishableLength(text, values);
      if (length < text.length) held.set(key, { runId, delta: { ...body, text: text.slice(length) } });
      else held.delete(key);
      return length === 0 ? undefined : { ...body, text: text.slice(0, length) };
    },
  };
}

/** Calls run in parallel, so their output ends with their result; the parts of a reply come one after the other. */
function completes(next: AgentEventBody, held: DeltaBody): boolean {
  if (held.type === "ToolOutput") return isTerminal(next) || (next.type === "ToolEnd" && next.callId === held.callId);
  if (!isDelta(next)) return !isAboutRequest(next);
  return next.type !== "ToolOutput" && streamOf(next) !== streamOf(held);
}

function streamOf(body: DeltaBody): string {
  return "callId" in body ? `${body.type} ${body.callId}` : body.type;
}
