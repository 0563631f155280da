import type { AgentEventBody } from "../protocol/events.ts";
import type { Redact } from "./redact.ts";
import { redactDeep } from "./redact-deep.ts";

/** Fields with ids and fixed words: redacting them would break references. */
const idFields: ReadonlySet<string> = new Set([
  "type",
  "callId",
  "questionId",
  "childId",
  "requestId",
  "provider",
  "episode",
  "tool",
  "model",
  "state",
  "status",
]);
/** Records inside an event, and the fields of those with ids and fixed words. */
const recordFields: ReadonlySet<string> = new Set(["intervention", "question", "request", "result"]);
const recordIdFields: ReadonlySet<string> = new Set([
  "id",
  "detector",
  "tool",
  "sessionId",
  "runId",
  "state",
  "reason",
]);

/** A deeply frozen copy of the event without secrets, so that no listener can change what the next one reads. */
export function redactEvent(body: AgentEventBody, redact: Redact): AgentEventBody {
  const fields = Object.entries(body).map(([name, value]) => [name, redactField(name, value, redact)]);
  return Object.freeze(Object.fromEntries(fields)) as AgentEventBody; // redaction keeps names and types of fields
}

function redactField(name: string, value: unknown, redact: Redact): unknown {
  if (idFields.has(name)) return value;
  return recordFields.has(name) ? redactDeep(value, redact, recordIdFields) : redactDeep(value, redact);
}
