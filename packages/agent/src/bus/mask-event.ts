import type { AgentEventBody } from "../events.ts";
import { type Mask, maskDeep } from "./mask-deep.ts";

/** Fields that hold ids, names of ours and nothing a person or a tool wrote. */
const ids: ReadonlySet<string> = new Set(["type", "callId", "childId", "episode", "tool", "model", "state", "status"]);
const innerIds: ReadonlySet<string> = new Set(["id", "detector", "tool", "sessionId", "runId", "state", "reason"]);

/** The event without secrets: a frozen copy, so that no listener can change what the next one sees. */
export function maskEvent(body: AgentEventBody, mask: Mask): AgentEventBody {
  const masked = maskDeep(body, mask, ids) as AgentEventBody; // masking keeps the shape: texts stay texts, objects stay objects
  if ("intervention" in body) return Object.freeze({ ...masked, intervention: maskDeep(body.intervention, mask, innerIds) } as AgentEventBody);
  if ("result" in body) return Object.freeze({ ...masked, result: maskDeep(body.result, mask, innerIds) } as AgentEventBody);
  return masked;
}
