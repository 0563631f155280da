import type { Message, UserMessage } from "../protocol/messages.ts";
import type { MessageSelection } from "./message-selection.ts";

const omissionReason = "context_left_out";
const summaryReason = "context_summary";

/** The largest number of tokens that an omission note takes. */
export const omissionNoteTokens = 40;

/**
 * The kept messages of a selection, with a note where the first message is missing. A note of an earlier compaction,
 * which must be among the kept messages, stays in its place and counts the new omissions as well.
 */
export function addOmissionNote(
  messages: readonly Message[],
  { kept, leftOut, gap }: MessageSelection,
): readonly Message[] {
  const count = countOmitted(messages) + leftOut.length;
  if (kept.some(isOmissionNote))
    return kept.map((message) => (isOmissionNote(message) ? withCount(message, count) : message));
  const [firstOmitted] = leftOut;
  return firstOmitted === undefined
    ? kept
    : [...kept.slice(0, gap), createOmissionNote(count, firstOmitted), ...kept.slice(gap)];
}

function createOmissionNote(count: number, { id, at }: Message): UserMessage {
  return {
    role: "user",
    id: `left-out:${id}`,
    at,
    origin: "automatic",
    text: noteText(count),
    reason: omissionReason,
  };
}

function noteText(count: number): string {
  const omitted = `${count} earlier ${count === 1 ? "message was" : "messages were"} left out here to fit the context.`;
  return `[${omitted} Look up again what you need from them.]`;
}

function withCount(note: UserMessage, count: number): UserMessage {
  return count === countOmitted([note]) ? note : { ...note, text: noteText(count) };
}

/** Whether a message is the note of an earlier compaction. */
export function isOmissionNote(message: Message): message is UserMessage {
  return message.role === "user" && message.reason === omissionReason && message.origin === "automatic";
}

/** How many messages earlier compactions left out, according to their notes. */
export function countOmitted(messages: readonly Message[]): number {
  return messages.filter(isOmissionNote).reduce((sum, { text }) => sum + Number(/^\[(\d+) /.exec(text)?.[1] ?? 0), 0);
}

/** Creates the message that replaces `count` summarized messages, the first of which is `firstSummarized`. */
export function createSummary(text: string, count: number, firstSummarized: Message): UserMessage {
  return {
    role: "user",
    id: `summary:${firstSummarized.id}`,
    at: firstSummarized.at,
    origin: "automatic",
    text: `<summary messages="${count}">\n${text}\n</summary>`,
    reason: summaryReason,
  };
}

/** Whether a message is the summary of an earlier compaction. */
export function isSummary(message: Message): message is UserMessage {
  return message.role === "user" && message.reason === summaryReason && message.origin === "automatic";
}

/** How many messages the summaries among these messages replace. */
export function countSummarized(messages: readonly Message[]): number {
  return messages
    .filter(isSummary)
    .reduce((sum, { text }) => sum + Number(/^<summary messages="(\d+)">/.exec(text)?.[1] ?? 0), 0);
}
