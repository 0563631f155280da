import type { Message, UserMessage } from "../protocol/messages.ts";

const leftOutReason = "context_left_out";
const summaryReason = "context_summary";

/** Tells the model that messages are missing here. */
export function leftOutNote(count: number, like: Message): UserMessage {
  return {
    role: "user",
    id: `left-out:${like.id}`,
    at: like.at,
    origin: "automatic",
    text: noteText(count),
    reason: leftOutReason,
  };
}

function noteText(count: number): string {
  return `[${count} earlier ${count === 1 ? "message was" : "messages were"} left out here to fit the context. Look again at what you need from before.]`;
}

/** A note of an earlier compaction. */
export function isNote(message: Message): message is UserMessage {
  return message.role === "user" && message.reason === leftOutReason && message.origin === "automatic";
}

/** The same note with another count. */
export function recount(note: UserMessage, count: number): UserMessage {
  return count === notedCount([note]) ? note : { ...note, text: noteText(count) };
}

/** How many messages were left out before, as the notes among these say. */
export function notedCount(messages: readonly Message[]): number {
  return messages.reduce(
    (sum, message) => sum + (isNote(message) ? Number(/^\[(\d+) /.exec(message.text)?.[1] ?? 0) : 0),
    0,
  );
}

/** Stands for messages that were summarized; the count is theirs. */
export function summaryMessage(text: string, count: number, like: Message): UserMessage {
  const marked = `<summary messages="${count}">\n${text}\n</summary>`;
  return {
    role: "user",
    id: `summary:${like.id}`,
    at: like.at,
    origin: "automatic",
    text: marked,
    reason: summaryReason,
  };
}

/** A summary that an earlier compaction put in place of messages. */
export function isSummary(message: Message): message is UserMessage {
  return message.role === "user" && message.reason === summaryReason && message.origin === "automatic";
}

/** How many messages a summary stands for. */
export function summarizedCount(message: Message): number {
  return isSummary(message) ? Number(/^<summary messages="(\d+)">/.exec(message.text)?.[1] ?? 0) : 0;
}
