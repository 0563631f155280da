import type { AgentEventBody } from "../events.ts";
import { holdBack } from "./hold-back.ts";
import { type DeltaType, isDelta } from "./severity.ts";

type DeltaBody = Extract<AgentEventBody, { readonly type: DeltaType }>;

/** The end of a stream so far, not told yet. */
export interface HeldDelta {
  readonly body: DeltaBody;
  readonly channel: string;
}

/** The events of a run to tell now: deltas are cut at spaces, and what was held back comes before anything else of its run. */
export function wholeWords(held: Map<string, HeldDelta>, runId: string, body: AgentEventBody): readonly AgentEventBody[] {
  const before = held.get(runId);
  if (!isDelta(body)) {
    if (before === undefined) return [body];
    held.delete(runId);
    return [before.body, body];
  }
  const channel = body.type === "ToolInputDelta" ? body.callId : body.type;
  const isSame = before?.channel === channel;
  const { ready, held: rest } = holdBack((isSame ? before.body.text : "") + body.text);
  if (rest !== "") held.set(runId, { body: withText(body, rest), channel });
  else if (before !== undefined) held.delete(runId);
  const now = ready === "" ? [] : [withText(body, ready)];
  return before === undefined || isSame ? now : [before.body, ...now];
}

function withText(body: DeltaBody, text: string): DeltaBody {
  return body.type === "ToolInputDelta" ? { type: body.type, callId: body.callId, text } : { type: body.type, text };
}
