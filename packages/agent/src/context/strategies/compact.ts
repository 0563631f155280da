import type { Message } from "../../protocol/messages.ts";
import { selectMessages } from "../message-selection.ts";
import { addOmissionNote, isOmissionNote, isSummary, omissionNoteTokens } from "../omission-notes.ts";
import { tailStart, toSegments } from "../segments.ts";
import { shortenMessage } from "../shortened-message.ts";
import type { CompactionInput } from "./strategy.ts";

/** The size to which tool results before the tail are shortened. */
const oldResultTokens = 200;

/**
 * Shortens old tool results, then keeps the first prompt of the conversation, earlier summaries and the newest
 * messages, and leaves out the middle.
 */
export function compact(input: CompactionInput): readonly Message[] {
  const { messages, target, limit, ...rest } = input;
  const shortened = shortenOldResults(input);
  const firstPrompt = shortened.find(
    (message) => message.role === "user" && (message.origin === "person" || message.origin === "scheduled"),
  );
  const room = { ...rest, target: target - omissionNoteTokens, limit: limit - omissionNoteTokens };
  const selection = selectMessages(
    shortened,
    room,
    (message) => message === firstPrompt || isSummary(message) || isOmissionNote(message),
  );
  return addOmissionNote(messages, selection);
}

/** Goes back from the tail until the room is used up: older messages are left out, and not worth counting. */
function shortenOldResults({ messages, target, minTail, counter }: CompactionInput): readonly Message[] {
  const segments = [...toSegments(messages)];
  let left = target;
  for (let index = tailStart(segments, minTail) - 1; index >= 0 && left > 0; index -= 1) {
    const segment = (segments[index] ?? []).map((message) =>
      message.role === "tool" ? shortenMessage(message, oldResultTokens, counter) : message,
    );
    segments[index] = segment;
    left -= segment.reduce((sum, message) => sum + counter.countMessage(message), 0);
  }
  return segments.flat();
}
