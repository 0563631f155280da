import type { AssistantMessage, CallPart, Message, ReplyPart } from "../protocol/messages.ts";
import { fairShare } from "./fair-share.ts";
import { withoutItemIds, withoutThinking } from "./plain-reply.ts";
import { toSafeJson } from "./safe-json.ts";
import { partTokens, type TokenCounter } from "./token-counter.ts";

/** No part is cut below this size: less text would be useless. */
export const minPartTokens = 32;

/**
 * A copy of the message that has at most `maxTokens` tokens, as far as that is possible, and says what was left out.
 * A guardian's notice is never shortened.
 */
export function shortenMessage(message: Message, maxTokens: number, counter: TokenCounter): Message {
  const tokens = counter.countMessage(message);
  if (tokens <= maxTokens || (message.role === "user" && message.origin === "guardian")) return message;
  const shorten = (text: string) => shortenText(text, maxTokens - (tokens - counter.countText(text)), counter);
  switch (message.role) {
    case "user": {
      const text = shorten(message.text);
      return text === message.text ? message : { ...message, text };
    }
    case "tool": {
      const content = shorten(message.content);
      return content === message.content ? message : { ...message, content };
    }
    case "assistant":
      return shortenReply(message, maxTokens, counter);
    default:
      return message satisfies never;
  }
}

/** The largest size of the note about a cut. A text that is not longer is not cut. */
const cutNoteTokens = 16;
const cutNoteLength = 80;

/** The head and tail of a text in at most `maxTokens` tokens, with a note about what is missing between them. */
export function shortenText(text: string, maxTokens: number, counter: TokenCounter): string {
  const tokens = counter.countText(text);
  if (tokens <= maxTokens || text.length <= cutNoteLength) return text;
  // Some parts of a text have more tokens than others, so the length is reduced until the text fits.
  let length = Math.floor((text.length * (maxTokens - cutNoteTokens)) / tokens);
  for (; length > 0; length = Math.floor(length * 0.8)) {
    const short = headAndTail(text, length);
    if (counter.countText(short) <= maxTokens) return short;
  }
  return headAndTail(text, 0);
}

/** Cuts between characters, not inside a surrogate pair. */
function headAndTail(text: string, length: number): string {
  const tailLength = Math.floor(length / 3);
  const head = text.slice(0, length - tailLength).replace(/[\ud800-\udbff]$/, "");
  const tail = text.slice(text.length - tailLength).replace(/^[\udc00-\udfff]/, "");
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out to fit the context …]\n${tail}`;
}

function shortenReply(reply: AssistantMessage, maxTokens: number, counter: TokenCounter): AssistantMessage {
  const short = shortenParts(withoutItemIds(reply), maxTokens, counter);
  if (counter.countMessage(short) <= maxTokens) return short;
  return shortenParts(withoutThinking(reply), maxTokens, counter);
}

function shortenParts(reply: AssistantMessage, maxTokens: number, counter: TokenCounter): AssistantMessage {
  const isCuttable = (part: ReplyPart): boolean => part.type !== "thinking"; // a signature covers the whole text
  const sizes = reply.parts.filter(isCuttable).map((part) => partTokens(part, counter));
  const otherTokens = counter.countMessage(reply) - sizes.reduce((sum, size) => sum + size, 0);
  const maxPartTokens = Math.max(minPartTokens, fairShare(sizes, maxTokens - otherTokens));
  const parts = reply.parts.map((part) => (isCuttable(part) ? shortenPart(part, maxPartTokens, counter) : part));
  return parts.every((part, index) => part === reply.parts[index]) ? reply : { ...reply, parts };
}

function shortenPart(part: ReplyPart, maxTokens: number, counter: TokenCounter): ReplyPart {
  if (partTokens(part, counter) <= maxTokens) return part;
  if (part.type === "call") return shortenCall(part, maxTokens, counter);
  const text = shortenText(part.text, maxTokens, counter);
  return text === part.text ? part : { ...part, text };
}

/** Cuts long values, so that the call stays recognisable; if that is not enough, cuts the JSON as a whole. */
function shortenCall(call: CallPart, maxTokens: number, counter: TokenCounter): CallPart {
  const { input } = call;
  if (input === undefined) return call;
  const inputTokens = (value: unknown): number => counter.countText(toSafeJson(value));
  const room = maxTokens - (partTokens(call, counter) - inputTokens(input));
  const areValuesEnough = inputTokens(shortenValues(input, cutNoteTokens, counter)) <= room;
  const json = toSafeJson(input);

  // Quotes and line breaks are longer in JSON than in the text, so the size that fits is found by trying.
  let short = input;
  for (const size of shrinkingSizes(room)) {
    short = areValuesEnough ? shortenValues(input, size, counter) : { left_out: shortenText(json, size, counter) };
    if (inputTokens(short) <= room) break;
  }
  return inputTokens(short) < inputTokens(input) ? { ...call, input: short } : call;
}

/** Sizes to try, from `tokens` down to that of the bare note. */
function* shrinkingSizes(tokens: number): Generator<number> {
  for (let size = tokens; size > cutNoteTokens; size = Math.floor(size * 0.8)) yield size;
  yield cutNoteTokens;
}

function shortenValues(
  input: Readonly<Record<string, unknown>>,
  maxTokens: number,
  counter: TokenCounter,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      typeof value === "string" ? shortenText(value, maxTokens, counter) : value,
    ]),
  );
}
