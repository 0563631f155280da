import type { Message } from "../protocol/messages.ts";
import { currentPrompts } from "./current-prompts.ts";
import { fairShare } from "./fair-share.ts";
import { withoutThinking } from "./plain-reply.ts";
import { type Segment, tailStart, toSegments } from "./segments.ts";
import { minPartTokens, shortenMessage } from "./shortened-message.ts";
import type { TokenCounter } from "./token-counter.ts";

/** How many tokens the messages may take. */
export interface TokenRoom {
  /** The size to aim for. */
  readonly target: number;
  /** The size that must not be exceeded. */
  readonly limit: number;
  /** How many of the newest messages are kept if they fit. */
  readonly minTail: number;
  readonly counter: TokenCounter;
  /** Messages that people wrote from this time on are never cut. */
  readonly runStartedAt?: number | undefined;
  /** Whether the prompts may be cut, because the messages are only read for a summary. Default: false. */
  readonly arePromptsCuttable?: boolean;
}

/** The messages to send, in order, and those left out. */
export interface MessageSelection {
  readonly kept: readonly Message[];
  readonly leftOut: readonly Message[];
  /** The index in `kept` at which the first message is missing. */
  readonly gap: number;
}

/** Tail messages before the newest turn are cut to this size at least, unless the limit requires less. */
const minTailMessageTokens = 200;

/**
 * Selects the newest messages that fit. Segments stay whole, and the newest turn and the current prompts always stay.
 * These are given up, in this order: messages before the tail, long texts in the tail (to reach the target), older
 * turns of the tail, long texts in what must stay (to reach the limit). The current prompts are never cut.
 */
export function selectMessages(
  messages: readonly Message[],
  { target, limit, minTail, counter, runStartedAt, arePromptsCuttable = false }: TokenRoom,
  mustStay: (message: Message) => boolean = () => false,
): MessageSelection {
  const segments = toSegments(messages);
  const prompts = currentPrompts(messages, runStartedAt);
  const newest = segments.length - 1;
  const start = tailStart(segments, minTail);

  const isCuttable = ({ isPrompt }: Piece) => arePromptsCuttable || !isPrompt;
  let pieces: readonly Piece[] = segments.map((segment, index): Piece => {
    const isPrompt = segment.some((message) => prompts.has(message));
    const isEssential = index === newest || isPrompt;
    const isRequired = isEssential || segment.some(mustStay);
    return { segment, isPrompt, isEssential, isRequired, isKept: isRequired || index >= start };
  });
  if (countTokens(pieces, counter) <= target)
    return toSelection(segments, addOlder(pieces, start, { target, counter }));

  pieces = shortenPieces(pieces, {
    room: target,
    minTokens: minTailMessageTokens,
    counter,
    isCuttable: ({ isEssential }) => !isEssential,
  });
  for (let index = start; index < newest && countTokens(pieces, counter) > limit; index += 1)
    pieces = pieces.map((piece, at) => (at === index && !piece.isRequired ? { ...piece, isKept: false } : piece));
  if (countTokens(pieces, counter) > limit)
    pieces = shortenPieces(pieces, { room: limit, minTokens: minPartTokens, counter, isCuttable });
  return toSelection(segments, pieces);
}

interface Piece {
  readonly segment: Segment;
  readonly isKept: boolean;
  /** A current prompt: never shortened. */
  readonly isPrompt: boolean;
  /** The newest turn and the current prompts. The turn is shortened last. */
  readonly isEssential: boolean;
  /** Never left out. */
  readonly isRequired: boolean;
}

function countTokens(pieces: readonly Piece[], counter: TokenCounter): number {
  return pieces.reduce((sum, { segment, isKept }) => (isKept ? sum + segmentTokens(segment, counter) : sum), 0);
}

function segmentTokens(segment: Segment, counter: TokenCounter): number {
  return segment.reduce((sum, message) => sum + counter.countMessage(message), 0);
}

/** Adds segments before the tail, newest first, until one does not fit, so that there are no avoidable gaps. */
function addOlder(
  pieces: readonly Piece[],
  start: number,
  { target, counter }: Pick<TokenRoom, "target" | "counter">,
): readonly Piece[] {
  const result = [...pieces];
  let left = target - countTokens(pieces, counter);
  for (let index = start - 1; index >= 0; index -= 1) {
    const piece = result[index];
    if (piece === undefined || piece.isKept) continue;
    left -= segmentTokens(piece.segment, counter);
    if (left < 0) break;
    result[index] = { ...piece, isKept: true };
  }
  return result;
}

interface ShortenOptions {
  readonly room: number;
  /** No message is cut below this size. */
  readonly minTokens: number;
  readonly counter: TokenCounter;
  readonly isCuttable: (piece: Piece) => boolean;
}

/** Cuts the longest messages of the cuttable pieces until all kept pieces fit. */
function shortenPieces(
  pieces: readonly Piece[],
  { room, minTokens, counter, isCuttable }: ShortenOptions,
): readonly Piece[] {
  const withoutOldThinking = pieces.map((piece) =>
    piece.isKept && !piece.isEssential ? { ...piece, segment: piece.segment.map(dropThinking) } : piece,
  );
  const cuttable = withoutOldThinking.filter((piece) => piece.isKept && isCuttable(piece));
  const sizes = cuttable.flatMap(({ segment }) => segment.map((message) => counter.countMessage(message)));
  const otherTokens = countTokens(withoutOldThinking, counter) - countTokens(cuttable, counter);
  const longest = sizes.reduce((max, size) => Math.max(max, size), 0);
  let maxTokens = Math.max(minTokens, Math.min(longest, fairShare(sizes, room - otherTokens)));
  for (;;) {
    const shortened = withoutOldThinking.map((piece) =>
      piece.isKept && isCuttable(piece)
        ? { ...piece, segment: piece.segment.map((message) => shortenMessage(message, maxTokens, counter)) }
        : piece,
    );
    if (maxTokens <= minTokens || countTokens(shortened, counter) <= room) return shortened;
    // Some messages cannot be cut as far as they should: the others are cut further.
    maxTokens = Math.max(minTokens, Math.floor(maxTokens * 0.8));
  }
}

function dropThinking(message: Message): Message {
  return message.role === "assistant" ? withoutThinking(message) : message;
}

function toSelection(segments: readonly Segment[], pieces: readonly Piece[]): MessageSelection {
  const firstMissing = pieces.findIndex(({ isKept }) => !isKept);
  return {
    kept: pieces.flatMap(({ segment, isKept }) => (isKept ? segment : [])),
    leftOut: segments.filter((_, index) => !pieces[index]?.isKept).flat(),
    gap: pieces.slice(0, Math.max(0, firstMissing)).reduce((sum, { segment }) => sum + segment.length, 0),
  };
}
