import type { Message } from "../../protocol/messages.ts";
import { selectMessages } from "../message-selection.ts";
import { addOmissionNote, isOmissionNote, omissionNoteTokens } from "../omission-notes.ts";
import type { CompactionInput } from "./strategy.ts";

/** Leaves out the oldest messages. */
export function slidingWindow({ messages, target, limit, ...rest }: CompactionInput): readonly Message[] {
  const room = { ...rest, target: target - omissionNoteTokens, limit: limit - omissionNoteTokens };
  return addOmissionNote(messages, selectMessages(messages, room, isOmissionNote));
}
