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

/** A message of a user role; the id is its text's business. */
export function user(id: string, text: string, origin: MessageOrigin = "person"): UserMessage {
  return { role: "user", id, at: 0, origin, text };
}

/** A reply with text and calls; `told` is what the provider said the context was, all in all. */
export function reply(id: string, parts: readonly ReplyPart[], told?: number): AssistantMessage {
  const usage = told === undefined ? noUsage : { ...noUsage, input: told, isEstimated: false };
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

/** What came of a call. */
export function result(callId: string, content: string, tool = "read"): ResultMessage {
  return { role: "tool", id: `result:${callId}`, at: 0, callId, tool, status: "ok", content };
}

/** A conversation: a prompt, then turns with one call each whose result has so many words. */
export function conversation(turns: number, words: number): readonly Message[] {
  const turn = (index: number): readonly Message[] => [
    reply(`reply${index}`, [{ type: "text", text: `step ${index}` }, call(`call${index}`, { path: `file${index}` })]),
    result(`call${index}`, `${index} `.repeat(words)),
  ];
  return [user("prompt", "find the bug"), ...Array.from({ length: turns }, (_, index) => turn(index)).flat()];
}

/** A counter that writes down what it was asked to count. */
export function watched(counter: TokenCounter): TokenCounter & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    get isExact() {
      return counter.isExact;
    },
    load: () => counter.load(),
    countText(text) {
      asked.push("text");
      return counter.countText(text);
    },
    countMessage(message) {
      asked.push(message.id);
      return counter.countMessage(message);
    },
  };
}

/** What providers insist on: every call has one result, behind it and before anything else is said, and no result is without its call. Undefined where that holds. */
export function pairingProblem(messages: readonly Message[]): string | undefined {
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.delete(message.callId)) return `${message.id} is a result of no open call`;
      continue;
    }
    if (open.size > 0) return `${message.id} comes before the results of ${[...open].join(", ")}`;
    if (message.role === "assistant")
      open = new Set(message.parts.flatMap((part) => (part.type === "call" ? [part.id] : [])));
  }
  return open.size > 0 ? `no result of ${[...open].join(", ")}` : undefined;
}
