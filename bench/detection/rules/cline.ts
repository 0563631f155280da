import { inARow } from "./in-a-row.ts";
import { stableKey } from "./keys.ts";
import type { Rule } from "./rule.ts";

/**
 * cline SDK, LoopDetectionTracker (soft 3, hard 5): three equal calls in a row, keys sorted. First reaction: a note in
 * the conversation.
 */
export const cline: Rule = {
  name: "cline",
  firstReaction: (run) => inARow(run, 3, stableKey),
};
