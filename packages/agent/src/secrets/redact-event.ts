import { keepShape } from "../async/keep-shape.ts";
import { frequentEvent, type Stamp } from "../events/frequent-event.ts";
import { severities } from "../events/severity.ts";
import type { AgentEvent, AgentEventBody } from "../protocol/events.ts";
import { type Mask, maskField, redactDeep } from "./redact-deep.ts";

/** Fields that hold ids, names of ours and nothing a person or a tool wrote. */
const ids: ReadonlySet<string> = new Set(["type", "callId", "childId", "episode", "tool", "model", "state", "status"]);
/** Fields that hold a record with ids of its own. */
const records: ReadonlySet<string> = new Set(["intervention", "result"]);
const innerIds: ReadonlySet<string> = new Set(["id", "detector", "tool", "sessionId", "runId", "state", "reason"]);

/** The event with its stamp and without secrets: a frozen copy, so that no listener can change what the next one sees. */
export function redactEvent(body: AgentEventBody, stamp: Stamp, mask: Mask): AgentEvent {
  return Object.freeze(frequentEvent(body, stamp, mask) ?? anyEvent(body, stamp, mask));
}

function anyEvent(body: AgentEventBody, { seq, at, sessionId, runId }: Stamp, mask: Mask): AgentEvent {
  const severity = severities[body.type];
  const event: Record<string, unknown> = { type: body.type, seq, at, sessionId, runId, severity }; // what all have comes first: that is several times quicker
  for (const name of Object.keys(body)) {
    const value: unknown = body[name as keyof AgentEventBody]; // one of its own keys
    if (typeof value === "number" || typeof value === "boolean" || ids.has(name)) event[name] = value;
    else event[name] = records.has(name) ? redactDeep(value, mask, innerIds) : maskField(name, value, mask);
  }
  return event as unknown as AgentEvent; // masking keeps the shape: texts stay texts, objects stay objects
}

const stamp: Stamp = { seq: 1, at: Date.now(), sessionId: "", runId: "" };
keepShape(
  redactEvent({ type: "RunStarted", prompt: "" }, stamp, String),
  redactEvent({ type: "TurnComplete", turn: 0 }, stamp, String),
);
