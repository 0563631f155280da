import type { AssistantMessage, CallPart, Message, ReplyPart } from "../protocol/messages.ts";
import { waterLine } from "./fair-share.ts";
import { detachReply, withoutThinking } from "./plain-reply.ts";
import { jsonOf } from "./safe-json.ts";
import { partTokens, type TokenCounter } from "./token-counter.ts";

/** No part is cut below this many tokens: less would say nothing. */
export const leastTokens = 32;

/** A copy of the message of at most so many tokens, as far as that goes, that says what was left out. A guardian's notice stays as it is. */
export function shortenMessage(message: Message, maxTokens: number, counter: TokenCounter): Message {
  const tokens = counter.countMessage(message);
  if (tokens <= maxTokens || (message.role === "user" && message.origin === "guardian")) return message;
  switch (message.role) {
    case "user": {
      const text = shortenText(message.text, roomFor(message.text, tokens, maxTokens, counter), counter);
      return text === message.text ? message : { ...message, text };
    }
    case "tool": {
      const content = shortenText(message.content, roomFor(message.content, tokens, maxTokens, counter), counter);
      return content === message.content ? message : { ...message, content };
    }
    case "assistant":
      return shortenReply(message, maxTokens, counter);
    default:
      return message satisfies never;
  }
}

/** Head and tail of a text in at most so many tokens, with a note about what is missing between them. */
export function shortenText(text: string, maxTokens: number, counter: TokenCounter): string {
  const tokens = counter.countText(text);
  if (tokens <= maxTokens || text.length <= noteLength) return text;
  // Some parts of a text are denser than others: what does not fit yet is cut further, to the bare note if need be.
  for (
    let kept = Math.floor((text.length * (maxTokens - noteTokens)) / tokens);
    kept > 0;
    kept = Math.floor(kept * 0.8)
  ) {
    const short = headAndTail(text, kept);
    if (counter.countText(short) <= maxTokens) return short;
  }
  return headAndTail(text, 0);
}

/** What the note about a cut takes up at most. A text no longer than that is not worth cutting. */
const noteTokens = 16;
const noteLength = 80;

function roomFor(text: string, tokens: number, maxTokens: number, counter: TokenCounter): number {
  return maxTokens - (tokens - counter.countText(text));
}

function headAndTail(text: string, kept: number): string {
  const tail = Math.floor(kept / 3);
  const head = text.slice(0, kept - tail).replace(/[\ud800-\udbff]$/, "");
  const end = text.slice(text.length - tail).replace(/^[\udc00-\udfff]/, "");
  return `${head}\n[… ${text.length - head.length - end.length} characters left out to fit the context …]\n${end}`;
}

function shortenReply(reply: AssistantMessage, maxTokens: number, counter: TokenCounter): AssistantMessage {
  const short = shortenParts(detachReply(reply), maxTokens, counter);
  if (counter.countMessage(short) <= maxTokens) return short;
  return shortenParts(withoutThinking(reply), maxTokens, counter);
}

function shortenParts(reply: AssistantMessage, maxTokens: number, counter: TokenCounter): AssistantMessage {
  const isCuttable = (part: ReplyPart): boolean => part.type !== "thinking"; // a provider's signature is over the whole of it
  const sizes = reply.parts.filter(isCuttable).map((part) => partTokens(part, counter));
  const rest = counter.countMessage(reply) - sizes.reduce((sum, size) => sum + size, 0);
  const line = Math.max(leastTokens, waterLine(sizes, maxTokens - rest));
  const parts = reply.parts.map((part) => (isCuttable(part) ? shortenPart(part, line, counter) : part));
  return parts.every((part, index) => part === reply.parts[index]) ? reply : { ...reply, parts };
}

function shortenPart(part: ReplyPart, maxTokens: number, counter: TokenCounter): ReplyPart {
  const tokens = partTokens(part, counter);
  if (tokens <= maxTokens) return part;
  if (part.type === "call") return shortenCall(part, maxTokens, counter);
  const text = shortenText(part.text, maxTokens, counter);
  return text === part.text ? part : { ...part, text };
}

/** Long values first, so that the model still sees which call it was; all of it where that is not enough. */
function shortenCall(call: CallPart, maxTokens: number, counter: TokenCounter): CallPart {
  const { input } = call;
  if (input === undefined) return call;
  const sizeOf = (value: unknown): number => counter.countText(jsonOf(value));
  const room = maxTokens - (partTokens(call, counter) - sizeOf(input));
  const cutTo = (tokens: number): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      Object.entries(input).map(([key, value]) => [
        key,
        typeof value === "string" ? shortenText(value, tokens, counter) : value,
      ]),
    );
  const least = cutTo(noteTokens);
  if (sizeOf(least) <= room) {
    // Quotes and newlines are longer in JSON than they are in the text, so what fits is found by trying.
    for (let tokens = room; tokens > noteTokens; tokens = Math.floor(tokens * 0.8)) {
      const short = cutTo(tokens);
      if (sizeOf(short) <= room) return { ...call, input: short };
    }
    return { ...call, input: least };
  }
  const json = jsonOf(input);
  for (let tokens = room; ; tokens = Math.floor(tokens * 0.8)) {
    const whole = { left_out: shortenText(json, tokens, counter) };
    if (sizeOf(whole) <= room) return { ...call, input: whole };
    if (tokens <= noteTokens) return sizeOf(whole) < sizeOf(input) ? { ...call, input: whole } : call;
  }
}
