import type { Message } from "../protocol/messages.ts";
import { waterLine } from "./fair-share.ts";
import { withoutThinking } from "./plain-reply.ts";
import { type Segment, segmentsOf, tailStart } from "./segments.ts";
import { leastTokens, shortenMessage } from "./shortened-message.ts";
import type { TokenCounter } from "./token-counter.ts";

/** How much room there is for messages, in tokens. */
export interface Room {
  /** What is wanted. */
  readonly aim: number;
  /** What is needed. */
  readonly limit: number;
  readonly minTail: number;
  readonly counter: TokenCounter;
}

/** What is kept, in order, and what is left out. */
export interface Kept {
  readonly kept: readonly Message[];
  readonly leftOut: readonly Message[];
  /** Where in `kept` the first message is missing. */
  readonly gap: number;
}

/** Messages of the tail that are older than the newest turn are cut to no less than this, unless the limit asks for more. */
const readableTokens = 200;

/**
 * Keeps the newest messages that fit, never half a segment, and always the newest turn and what was asked for. Gives up, in this order: what is older than
 * the tail, long texts in the tail (to reach the aim), the older turns of the tail, long texts in what has to stay (to reach the limit).
 */
export function keepWithin(
  messages: readonly Message[],
  { aim, limit, minTail, counter }: Room,
  mustStay: (message: Message) => boolean = () => false,
): Kept {
  const segments = segmentsOf(messages);
  const asked = askedFor(messages);
  const newest = segments.length - 1;
  const isSacred = (index: number): boolean =>
    index === newest || (segments[index]?.some((message) => asked.has(message)) ?? false);
  const stays = segments.map((segment, index) => isSacred(index) || segment.some(mustStay));
  const start = tailStart(segments, minTail);

  let pieces = segments.map(
    (segment, index): Piece => ({
      segment,
      isKept: stays[index] === true || index >= start,
      isSacred: isSacred(index),
    }),
  );
  if (sizeOf(pieces, counter) <= aim) return report(segments, addOlder(pieces, start, aim, counter));

  pieces = shortenTo(pieces, { room: aim, least: readableTokens, counter, isFree: (piece) => !piece.isSacred });
  for (let index = start; index < newest && sizeOf(pieces, counter) > limit; index += 1) {
    if (stays[index] !== true) pieces = pieces.map((piece, at) => (at === index ? { ...piece, isKept: false } : piece));
  }
  if (sizeOf(pieces, counter) > limit)
    pieces = shortenTo(pieces, { room: limit, least: leastTokens, counter, isFree: () => true });
  return report(segments, pieces);
}

interface Piece {
  readonly segment: Segment;
  readonly isKept: boolean;
  /** The newest turn, and what a person asked for: touched last. */
  readonly isSacred: boolean;
}

/** The newest message of a person, and a scheduled prompt that came after it: without them nobody knows what the run is for. */
function askedFor(messages: readonly Message[]): ReadonlySet<Message> {
  const person = messages.findLastIndex((message) => message.role === "user" && message.origin === "person");
  const scheduled = messages.findLastIndex((message) => message.role === "user" && message.origin === "scheduled");
  return new Set(
    [messages[person], scheduled > person ? messages[scheduled] : undefined].filter((message) => message !== undefined),
  );
}

function sizeOf(pieces: readonly Piece[], counter: TokenCounter): number {
  return pieces.reduce((sum, { segment, isKept }) => (isKept ? sum + tokensOf(segment, counter) : sum), 0);
}

function tokensOf(segment: Segment, counter: TokenCounter): number {
  return segment.reduce((sum, message) => sum + counter.countMessage(message), 0);
}

/** Adds what lies before the tail, newest first, until something does not fit: no holes where they can be avoided. */
function addOlder(pieces: readonly Piece[], start: number, aim: number, counter: TokenCounter): readonly Piece[] {
  const all = [...pieces];
  let left = aim - sizeOf(pieces, counter);
  for (let index = start - 1; index >= 0; index -= 1) {
    const piece = all[index];
    if (piece === undefined || piece.isKept) continue;
    left -= tokensOf(piece.segment, counter);
    if (left < 0) break;
    all[index] = { ...piece, isKept: true };
  }
  return all;
}

/** Cuts the longest messages of the free pieces until all of it fits, none below the least. */
function shortenTo(
  pieces: readonly Piece[],
  {
    room,
    least,
    counter,
    isFree,
  }: {
    readonly room: number;
    readonly least: number;
    readonly counter: TokenCounter;
    readonly isFree: (piece: Piece) => boolean;
  },
): Piece[] {
  const bare = pieces.map((piece) =>
    piece.isKept && !piece.isSacred ? { ...piece, segment: piece.segment.map(dropThinking) } : piece,
  );
  const sizes = bare.flatMap((piece) =>
    piece.isKept && isFree(piece) ? piece.segment.map((message) => counter.countMessage(message)) : [],
  );
  const others = sizeOf(bare, counter) - sizes.reduce((sum, size) => sum + size, 0);
  const longest = sizes.reduce((most, size) => Math.max(most, size), 0);
  for (
    let line = Math.max(least, Math.min(longest, waterLine(sizes, room - others)));
    ;
    line = Math.max(least, Math.floor(line * 0.8))
  ) {
    const short = bare.map((piece) =>
      piece.isKept && isFree(piece)
        ? { ...piece, segment: piece.segment.map((message) => shortenMessage(message, line, counter)) }
        : piece,
    );
    // Not every message can be cut as far as it should: then the others have to give more.
    if (line <= least || sizeOf(short, counter) <= room) return short;
  }
}

function dropThinking(message: Message): Message {
  return message.role === "assistant" ? withoutThinking(message) : message;
}

function report(segments: readonly Segment[], pieces: readonly Piece[]): Kept {
  const firstMissing = pieces.findIndex(({ isKept }) => !isKept);
  return {
    kept: pieces.flatMap(({ segment, isKept }) => (isKept ? segment : [])),
    leftOut: segments.flatMap((segment, index) => (pieces[index]?.isKept ? [] : segment)),
    gap: pieces.slice(0, Math.max(0, firstMissing)).reduce((sum, { segment }) => sum + segment.length, 0),
  };
}
