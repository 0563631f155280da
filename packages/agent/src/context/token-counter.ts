import { Buffer } from "node:buffer"; // the global one is a getter
import { keepShape } from "../async/keep-shape.ts";
import type { CallPart, Message, ReplyPart } from "../protocol/messages.ts";
import { jsonOf } from "./safe-json.ts";

/** Counts tokens: roughly until the tokenizer is loaded, exactly afterwards. It never throws, whatever the text. */
export interface TokenCounter {
  /** The tokenizer is loaded, and texts are counted by it. */
  readonly isExact: boolean;
  countText(text: string): number;
  /** A message as it is sent, with the JSON of its calls. The tokenizer reads each message object once. */
  countMessage(message: Message): number;
  /** Loads the tokenizer (some 150 ms and 100 MB), once. False where that failed: counts then stay estimates. */
  load(): Promise<boolean>;
}

/** Counts the tokens of a text. */
export type Encoding = (text: string) => number;

/** A counter of o200k_base tokens that needs no tokenizer until `load` is called. */
export function createTokenCounter({
  loadEncoding = loadO200k,
}: {
  readonly loadEncoding?: () => Promise<Encoding>;
} = {}): TokenCounter {
  return new O200kCounter(loadEncoding);
}

class O200kCounter implements TokenCounter {
  // By the object, not by its id: a shortened copy has the id of its original. Messages do not change, and forgotten ones leave the map.
  private readonly counted = new WeakMap<Message, number>();
  private readonly loadEncoding: () => Promise<Encoding>;
  private encoding: Encoding | undefined = undefined;
  private loading: Promise<boolean> | undefined = undefined;

  constructor(loadEncoding: () => Promise<Encoding>) {
    this.loadEncoding = loadEncoding;
  }

  get isExact(): boolean {
    return this.encoding !== undefined;
  }

  countText(text: string): number {
    return this.encoding === undefined ? estimate(text) : countWith(this.encoding, text);
  }

  countMessage(message: Message): number {
    if (!this.isExact) return messageTokens(message, this); // an estimate costs less than to keep it
    const known = this.counted.get(message);
    if (known !== undefined) return known;
    const tokens = messageTokens(message, this);
    this.counted.set(message, tokens);
    return tokens;
  }

  load(): Promise<boolean> {
    this.loading ??= this.loadEncoding().then(
      (loaded) => {
        this.encoding = loaded;
        return true;
      },
      // Told by `false`: estimates will do, and the provider's own figures correct them with every reply.
      () => false,
    );
    return this.loading;
  }
}

/** Tokens by a rule of thumb: four bytes make one. Needs no tokenizer; dense text such as base64 has up to three times as many. */
export function estimate(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** What a provider puts around a message, and around a call or a result (ids, field names). */
const messageFrame = 4;
const callFrame = 8;

type TextCounter = Pick<TokenCounter, "countText">;

function messageTokens(message: Message, counter: TextCounter): number {
  switch (message.role) {
    case "user":
      return messageFrame + counter.countText(message.text);
    case "tool":
      return messageFrame + callFrame + counter.countText(message.content);
    case "assistant":
      return message.parts.reduce((sum, part) => sum + partTokens(part, counter), messageFrame);
    default:
      return message satisfies never;
  }
}

/** The tokens of one part of a reply, with what has to go back to the provider along with it. */
export function partTokens(part: ReplyPart, counter: TextCounter): number {
  const metadata =
    part.type === "text" || part.providerMetadata === undefined ? 0 : counter.countText(jsonOf(part.providerMetadata));
  return metadata + (part.type === "call" ? callTokens(part, counter) : counter.countText(part.text));
}

function callTokens(call: CallPart, counter: TextCounter): number {
  return callFrame + counter.countText(call.tool) + counter.countText(jsonOf(call.input ?? {}));
}

/** Beyond this many characters a text is counted by samples: a tool's output must not hold up the loop. */
const hugeLength = 131_072;
const samples = 8;
const sampleLength = 4_096;

function countWith(encoding: Encoding, text: string): number {
  if (text.length <= hugeLength) return countExactly(encoding, text);
  const step = Math.floor((text.length - sampleLength) / (samples - 1));
  const sampled = Array.from({ length: samples }, (_, index) => text.slice(index * step, index * step + sampleLength));
  const tokens = sampled.reduce((sum, sample) => sum + countExactly(encoding, sample), 0);
  const bytes = sampled.reduce((sum, sample) => sum + Buffer.byteLength(sample), 0);
  return Math.ceil((tokens * Buffer.byteLength(text)) / bytes);
}

function countExactly(encoding: Encoding, text: string): number {
  try {
    return sliceRuns(text).reduce((sum, piece) => sum + encoding(piece), 0);
  } catch {
    // A tokenizer's quarrel with a text is no reason to end a run; the rule of thumb stands in.
    return estimate(text);
  }
}

/** The tokenizer needs quadratic time for a run of one class of characters, such as 100,000 times "a". */
const maxRun = 512;
// The lookbehind lets a run be tried at its beginning only, so that looking for long ones stays linear.
const longRuns = /(?<![\p{L}\p{M}])[\p{L}\p{M}]{512,}|(?<!\s)\s{512,}|(?<![^\s\p{L}\p{N}])[^\s\p{L}\p{N}]{512,}/gu;

function sliceRuns(text: string): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: run, index } of text.matchAll(longRuns)) {
    if (index > from) pieces.push(text.slice(from, index));
    for (let at = 0; at < run.length; at += maxRun) pieces.push(run.slice(at, at + maxRun));
    from = index + run.length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

async function loadO200k(): Promise<Encoding> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  // Without this a text that mentions <|endoftext|> is an error; here it is a text like any other.
  const plainText = { disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text, plainText);
}

keepShape(new O200kCounter(loadO200k));
