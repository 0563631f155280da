import type { AgentEventBody } from "../protocol/events.ts";
import { publishableLength } from "../secrets/publishable-prefix.ts";
import { type DeltaType, isDelta } from "./severity.ts";

type DeltaBody = Extract<AgentEventBody, { readonly type: DeltaType }>;

/** The end of a stream so far, not told yet. */
export interface HeldDelta {
  readonly runId: string;
  readonly body: DeltaBody;
  readonly channel: string;
}

/** Takes out what was held back of a run and has to be told before anything else of it: the end of another stream. */
export function takeHeld(held: HeldDelta[], runId: string, body: AgentEventBody): DeltaBody | undefined {
  const place = placeOf(held, runId);
  const before = held[place];
  if (before === undefined || (isDelta(body) && before.channel === channelOf(body))) return undefined;
  held.splice(place, 1);
  return before.body;
}

/** What of an event can be told now: a delta is cut at a space, and its end is held back; undefined where all of it is. */
export function wholeWords(held: HeldDelta[], runId: string, body: AgentEventBody): AgentEventBody | undefined {
  if (!isDelta(body)) return body;
  const place = placeOf(held, runId);
  const before = held[place]; // of the same stream
  const text = before === undefined ? body.text : before.body.text + body.text;
  const length = publishableLength(text);
  if (length < text.length) held[place] = { runId, body: withText(body, text.slice(length)), channel: channelOf(body) };
  else if (before !== undefined) held.splice(place, 1);
  if (length === 0) return undefined;
  return before === undefined && length === text.length ? body : withText(body, text.slice(0, length));
}

/** Where the end of a run's stream is, or is to be put. */
function placeOf(held: readonly HeldDelta[], runId: string): number {
  let place = 0;
  for (const one of held) {
    if (one.runId === runId) return place;
    place += 1;
  }
  return place;
}

function channelOf(body: DeltaBody): string {
  return body.type === "ToolInputDelta" ? body.callId : body.type;
}

function withText(body: DeltaBody, text: string): DeltaBody {
  return body.type === "ToolInputDelta" ? { type: body.type, callId: body.callId, text } : { type: body.type, text };
}
