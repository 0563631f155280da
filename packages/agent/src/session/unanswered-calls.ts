import { type CallPart, callsOf, type Message } from "../protocol/messages.ts";

/** The calls of the last reply that have no result: their process crashed. */
export function unansweredCallsOf(messages: readonly Message[]): readonly CallPart[] {
  const replyIndex = messages.findLastIndex(({ role }) => role === "assistant");
  const reply = messages[replyIndex];
  if (reply?.role !== "assistant") return [];
  const answeredIds = new Set(
    messages.slice(replyIndex).flatMap((message) => (message.role === "tool" ? [message.callId] : [])),
  );
  return callsOf(reply).filter(({ id }) => !answeredIds.has(id));
}
