import type { Clock } from "../protocol/clock.ts";
import { type CallPart, callsOf, type Message, type ResultMessage } from "../protocol/messages.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";

/** The calls of the last reply that have no result. */
export function unansweredCallsOf(messages: readonly Message[]): readonly CallPart[] {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const reply = messages[at];
  if (reply?.role !== "assistant") return [];
  const answered = new Set(messages.slice(at).flatMap((message) => (message.role === "tool" ? [message.callId] : [])));
  return callsOf(reply).filter(({ id }) => !answered.has(id));
}

/** The result of a call of which nobody knows how far it came. */
export function unknownOutcome(
  { id, tool }: CallPart,
  { clock, tools }: { readonly clock: Pick<Clock, "now" | "newId">; readonly tools?: Pick<ToolRegistry, "find"> },
): ResultMessage {
  const advice =
    tools?.find(tool)?.isIdempotent === true
      ? "It does no harm to make it again."
      : "Look at what it did before you make it again.";
  return {
    role: "tool",
    id: clock.newId("msg"),
    at: clock.now(),
    callId: id,
    tool,
    status: "interrupted",
    content: `Outcome unknown: the run broke off while this call was being made, so it may have been done in full, in part or not at all. ${advice}`,
  };
}
