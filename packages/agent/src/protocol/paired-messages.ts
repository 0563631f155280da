import { createMessageCache, type MessageCache, type MessageReducer } from "./message-cache.ts";
import { type AssistantMessage, type CallPart, callsOf, type Message, type ResultMessage } from "./messages.ts";
import { missingResult } from "./missing-result.ts";

/**
 * Returns the messages with exactly one result after each call and before the next message, as providers require.
 * A list in this order is returned as it is. In a damaged list, results move behind their calls, results without a
 * call are dropped, and a missing result is reported as unknown.
 */
export function pairCalls(
  messages: readonly Message[],
  cache: MessageCache = createMessageCache(),
): readonly Message[] {
  const { isPaired, unanswered } = cache.reduce(messages, pairing);
  return isPaired && unanswered.size === 0 ? messages : repairPairs(messages);
}

/** How far a list follows the order: `unanswered` has the ids of the newest reply's calls without a result. */
interface Pairing {
  isPaired: boolean;
  unanswered: Set<string>;
}

const pairing: MessageReducer<Pairing> = {
  start: () => ({ isPaired: true, unanswered: new Set() }),
  add(result, message) {
    if (message.role === "tool") {
      if (!result.unanswered.delete(message.callId)) result.isPaired = false;
      return result;
    }
    if (result.unanswered.size > 0) result.isPaired = false;
    if (message.role === "assistant") for (const { id } of callsOf(message)) result.unanswered.add(id);
    return result;
  },
};

function repairPairs(messages: readonly Message[]): readonly Message[] {
  const resultsByReply = groupResults(messages);
  return messages.flatMap((message, index): readonly Message[] => {
    if (message.role === "tool") return [];
    if (message.role === "user") return [message];
    const results = resultsByReply.get(index);
    const calls = new Map(callsOf(message).map((call) => [call.id, call]));
    return [message, ...Array.from(calls, ([id, call]) => results?.get(id) ?? resultForUnanswered(message, call))];
  });
}

/** The first result of each call, by the index of the reply that made the call. */
function groupResults(messages: readonly Message[]): ReadonlyMap<number, ReadonlyMap<string, ResultMessage>> {
  const replyOfCall = new Map<string, number>();
  const results = new Map<number, Map<string, ResultMessage>>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") for (const { id } of callsOf(message)) replyOfCall.set(id, index);
    if (message.role !== "tool") continue;
    const reply = replyOfCall.get(message.callId);
    if (reply === undefined) continue;
    replyOfCall.delete(message.callId);
    results.set(reply, (results.get(reply) ?? new Map()).set(message.callId, message));
  }
  return results;
}

function resultForUnanswered(reply: AssistantMessage, call: CallPart): ResultMessage {
  const clock = { now: () => reply.at, newId: () => `unknown:${call.id}` };
  const result = missingResult(call, "outcome-unknown", clock);
  return call.problem === undefined ? result : { ...result, content: call.problem };
}
