import { Buffer } from "node:buffer";
import { createMessageCache, type MessageCache } from "../protocol/message-cache.ts";
import type { CallPart, Message, ReplyPart } from "../protocol/messages.ts";
import { estimateTokens } from "../protocol/token-estimate.ts";
import { toSafeJson } from "./safe-json.ts";

/** Counts tokens: estimates until the tokenizer is loaded, exact counts afterwards. Never throws. */
export interface TokenCounter {
  /** Whether the tokenizer is loaded. */
  readonly isExact: boolean;
  countText(text: string): number;
  /** Tokens of a message as it is sent, with the JSON of its calls. The tokenizer reads each message once. */
  countMessage(message: Message): number;
  /** Loads the tokenizer once (about 150 ms and 100 MB). Returns false if that failed: counts stay estimates. */
  load(): Promise<boolean>;
}

/** Counts the tokens of a text. */
type Encoding = (text: string) => number;

export interface TokenCounterOptions {
  readonly loadEncoding?: () => Promise<Encoding>;
  /** Holds the exact count of each message. */
  readonly cache?: MessageCache;
}

/** Creates a counter of o200k_base tokens that needs no tokenizer until `load` is called. */
export function createTokenCounter({
  loadEncoding = loadO200k,
  cache = createMessageCache(),
}: TokenCounterOptions = {}): TokenCounter {
  let encoding: Encoding | undefined;
  let loading: Promise<boolean> | undefined;

  const countText = (text: string) =>
    encoding === undefined ? estimateTokens(text) : countWithEncoding(encoding, text);
  const countExactly = (message: Message) => messageTokens(message, { countText });

  return {
    get isExact() {
      return encoding !== undefined;
    },
    countText,
    countMessage: (message) => (encoding === undefined ? estimateMessage(message) : cache.get(message, countExactly)),
    load() {
      loading ??= loadEncoding().then(
        (loaded) => {
          encoding = loaded;
          return true;
        },
        () => false, // estimates are sufficient: the provider's figures correct them with every reply
      );
      return loading;
    },
  };
}

/** Estimates the tokens of a message without a tokenizer. */
export function estimateMessage(message: Message): number {
  return messageTokens(message, { countText: estimateTokens });
}

/** What a provider adds to a message, and to a call or a result (ids, field names). */
const messageOverhead = 4;
const callOverhead = 8;

type TextCounter = Pick<TokenCounter, "countText">;

function messageTokens(message: Message, counter: TextCounter): number {
  switch (message.role) {
    case "user":
      return messageOverhead + counter.countText(message.text);
    case "tool":
      return messageOverhead + callOverhead + counter.countText(message.content);
    case "assistant":
      return message.parts.reduce((sum, part) => sum + partTokens(part, counter), messageOverhead);
    default:
      return message satisfies never;
  }
}

/** Tokens of one part of a reply, including the metadata that goes back to the provider. */
export function partTokens(part: ReplyPart, counter: TextCounter): number {
  if (part.type === "text") return counter.countText(part.text);
  const { providerMetadata: metadata } = part;
  const metadataTokens = metadata === undefined ? 0 : counter.countText(toSafeJson(metadata));
  return metadataTokens + (part.type === "call" ? callTokens(part, counter) : counter.countText(part.text));
}

function callTokens(call: CallPart, counter: TextCounter): number {
  return callOverhead + counter.countText(call.tool) + counter.countText(toSafeJson(call.input ?? {}));
}

/** A longer text is counted by samples, so that a large tool output does not block the loop. */
const maxExactLength = 131_072;
const sampleCount = 8;
const sampleLength = 4_096;

function countWithEncoding(encoding: Encoding, text: string): number {
  if (text.length <= maxExactLength) return countWhole(encoding, text);
  const step = Math.floor((text.length - sampleLength) / (sampleCount - 1));
  const samples = Array.from({ length: sampleCount }, (_, index) =>
    text.slice(index * step, index * step + sampleLength),
  );
  const tokens = samples.reduce((sum, sample) => sum + countWhole(encoding, sample), 0);
  const bytes = samples.reduce((sum, sample) => sum + Buffer.byteLength(sample), 0);
  return Math.ceil((tokens * Buffer.byteLength(text)) / bytes);
}

function countWhole(encoding: Encoding, text: string): number {
  try {
    return splitLongRuns(text).reduce((sum, piece) => sum + encoding(piece), 0);
  } catch {
    return estimateTokens(text); // a tokenizer that cannot read a text must not end the run
  }
}

/** The tokenizer needs quadratic time for a run of one class of characters, such as 100,000 times "a". */
const maxRunLength = 512;
// With the lookbehind a run matches only from its beginning, so that the search stays linear.
const longRuns = /(?<![\p{L}\p{M}])[\p{L}\p{M}]{512,}|(?<!\s)\s{512,}|(?<![^\s\p{L}\p{N}])[^\s\p{L}\p{N}]{512,}/gu;

function splitLongRuns(text: string): readonly string[] {
  const pieces: string[] = [];
  let end = 0;
  for (const { 0: run, index } of text.matchAll(longRuns)) {
    if (index > end) pieces.push(text.slice(end, index));
    for (let start = 0; start < run.length; start += maxRunLength) pieces.push(run.slice(start, start + maxRunLength));
    end = index + run.length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

async function loadO200k(): Promise<Encoding> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  // Otherwise a text that mentions <|endoftext|> is an error.
  const plainText = { disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text, plainText);
}
