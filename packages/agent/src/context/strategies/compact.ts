import type { Message } from "../../protocol/messages.ts";
import { keepWithin } from "../message-selection.ts";
import { isNote, isSummary } from "../omission-notes.ts";
import { segmentsOf, tailStart } from "../segments.ts";
import { shortenMessage } from "../shortened-message.ts";
import { fillGap, noteTokens } from "./fill-gap.ts";
import type { Crowded } from "./strategy.ts";

/** What is left of a tool result that is older than the tail. */
const oldResultTokens = 200;

/** Shortens old tool results, then keeps the first request of the conversation, what was summarized before, and the newest; the middle is left out. */
export function compact(crowded: Crowded): readonly Message[] {
  const { messages, aim, limit, minTail, counter } = crowded;
  const shortened = shortenOldResults(crowded);
  const first = shortened.find(
    (message) => message.role === "user" && (message.origin === "person" || message.origin === "scheduled"),
  );
  const room = { aim: aim - noteTokens, limit: limit - noteTokens, minTail, counter };
  return fillGap(
    messages,
    keepWithin(shortened, room, (message) => message === first || isSummary(message) || isNote(message)),
  );
}

/** From the newest back, as far as there is room at all: what lies beyond is left out anyway and not worth counting. */
function shortenOldResults({ messages, aim, minTail, counter }: Crowded): readonly Message[] {
  const segments = [...segmentsOf(messages)];
  let left = aim;
  for (let index = tailStart(segments, minTail) - 1; index >= 0 && left > 0; index -= 1) {
    const segment = (segments[index] ?? []).map((message) =>
      message.role === "tool" ? shortenMessage(message, oldResultTokens, counter) : message,
    );
    segments[index] = segment;
    left -= segment.reduce((sum, message) => sum + counter.countMessage(message), 0);
  }
  return segments.flat();
}
