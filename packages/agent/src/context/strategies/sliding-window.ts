import type { Message } from "../../protocol/messages.ts";
import { keepWithin } from "../message-selection.ts";
import { isNote } from "../omission-notes.ts";
import { fillGap, noteTokens } from "./fill-gap.ts";
import type { Crowded } from "./strategy.ts";

/** Leaves out the oldest messages. */
export function slidingWindow({ messages, aim, limit, minTail, counter }: Crowded): readonly Message[] {
  return fillGap(
    messages,
    keepWithin(messages, { aim: aim - noteTokens, limit: limit - noteTokens, minTail, counter }, isNote),
  );
}
