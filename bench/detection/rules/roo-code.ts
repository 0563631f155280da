import { inARow } from "./in-a-row.ts";
import { stableKey } from "./keys.ts";
import type { Rule } from "./rule.ts";

/**
 * Roo-Code, ToolRepetitionDetector (limit 3): the third repetition of the previous call, so the fourth equal call; keys
 * sorted. First reaction: the call is refused and the user is asked.
 */
export const rooCode: Rule = {
  name: "Roo-Code",
  firstReaction: (run) => inARow(run, 4, stableKey),
};
