import type { Message } from "../../protocol/messages.ts";
import type { Kept } from "../message-selection.ts";
import { isNote, leftOutNote, notedCount, recount } from "../omission-notes.ts";

/** What the note about a gap takes up. */
export const noteTokens = 40;

/** The kept messages with a note where the first is missing. A note of an earlier compaction, which has to be among them, stays where it is and counts on. */
export function fillGap(before: readonly Message[], { kept, leftOut, gap }: Kept): readonly Message[] {
  const count = notedCount(before) + leftOut.length;
  if (kept.some(isNote)) return kept.map((message) => (isNote(message) ? recount(message, count) : message));
  const first = leftOut[0];
  return first === undefined ? kept : [...kept.slice(0, gap), leftOutNote(count, first), ...kept.slice(gap)];
}
