import type {
  AssistantMessage,
  CallPart,
  Message,
  MessageOrigin,
  ReplyPart,
  ResultMessage,
  Usage,
  UserMessage,
} from "../../protocol/messages.ts";
import type { TokenCounter } from "../token-counter.ts";

const noUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, isEstimated: true };

/** A message with the role `user`. */
export function user(id: string, text: string, origin: MessageOrigin = "person", at = 0): UserMessage {
  return { role: "user", id, at, origin, text };
}

/** A reply; `contextTokens` is the size of the context that the provider reported with it. */
export function reply(id: string, parts: readonly ReplyPart[], contextTokens?: number): AssistantMessage {
  const usage = contextTokens === undefined ? noUsage : { ...noUsage, input: contextTokens, isEstimated: false };
  return {
    role: "assistant",
    id,
    at: 0,
    parts,
    stop: parts.some(({ type }) => type === "call") ? "calls" : "end",
    model: "scripted",
    usage,
  };
}

/** A call of a tool. */
export function call(id: string, input: Readonly<Record<string, unknown>> = {}, tool = "read"): CallPart {
  return { type: "call", id, tool, input };
}

/** The result of a call. */
export function result(callId: string, content: string, tool = "read"): ResultMessage {
  return { role: "tool", id: `result:${callId}`, at: 0, callId, tool, status: "ok", content };
}

/** A conversation: a prompt, then turns with one call each, whose result has `words` words. */
export function conversation(turns: number, words: number): readonly Message[] {
  const turn = (index: number): readonly Message[] => [
    reply(`reply${index}`, [{ type: "text", text: `step ${index}` }, call(`call${index}`, { path: `file${index}` })]),
    result(`call${index}`, `${index} `.repeat(words)),
  ];
  return [user("prompt", "find the bug"), ...Array.from({ length: turns }, (_, index) => turn(index)).flat()];
}

/** A counter that records what it counted: ids of messages, and "text". */
export function recordingCounter(counter: TokenCounter): TokenCounter & { readonly counted: string[] } {
  const counted: string[] = [];
  return {
    counted,
    get isExact() {
      return counter.isExact;
    },
    load: () => counter.load(),
    countText(text) {
      counted.push("text");
      return counter.countText(text);
    },
    countMessage(message) {
      counted.push(message.id);
      return counter.countMessage(message);
    },
  };
}

/**
 * Checks what providers require: every call has one result, directly after its reply, and no result is without its
 * call. Returns undefined if that is the case.
 */
export function pairingProblem(messages: readonly Message[]): string | undefined {
  let unanswered = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (!unanswered.delete(message.callId)) return `${message.id} is a result without an unanswered call`;
      continue;
    }
    if (unanswered.size > 0) return `${message.id} comes before the results of ${[...unanswered].join(", ")}`;
    if (message.role === "assistant")
      unanswered = new Set(message.parts.flatMap((part) => (part.type === "call" ? [part.id] : [])));
  }
  return unanswered.size > 0 ? `no result of ${[...unanswered].join(", ")}` : undefined;
}
