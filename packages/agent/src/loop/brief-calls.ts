import { BRIEF_CALLS, type BriefCall } from "@sheepdog/guardian/opinion";
import { type AssistantMessage, callsOf, type Message, type ResultMessage } from "../protocol/messages.ts";
import type { Redact } from "../secrets/redact.ts";
import { redactMessage } from "../secrets/redact-message.ts";

/** The newest calls of a run that have a result, oldest first, without secrets. */
export function briefCalls(messages: readonly Message[], startedAt: number, redact: Redact): readonly BriefCall[] {
  const ofRun = messages.filter(({ at }) => at >= startedAt);
  const results = new Map(ofRun.flatMap((message) => (message.role === "tool" ? [[message.callId, message]] : [])));
  const replies = ofRun.filter((message) => message.role === "assistant").slice(-BRIEF_CALLS);
  return replies
    .flatMap((reply) => callsOf(reply).map((call) => ({ reply, call })))
    .slice(-BRIEF_CALLS)
    .flatMap(({ reply, call }) => {
      const result = results.get(call.id);
      return result === undefined ? [] : briefCall({ ...reply, parts: [call] }, result, redact);
    });
}

function briefCall(reply: AssistantMessage, result: ResultMessage, redact: Redact): readonly BriefCall[] {
  const [safeReply, safeResult] = [redactMessage(reply, redact), redactMessage(result, redact)];
  if (safeReply.role !== "assistant" || safeResult.role !== "tool") return [];
  return callsOf(safeReply).map(({ tool, input, problem }) => ({
    tool,
    args: input ?? problem,
    result: safeResult.content,
    isError: safeResult.status !== "ok",
  }));
}
