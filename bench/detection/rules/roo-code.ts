import { inARow } from "./in-a-row.ts";
import { stableKey } from "./keys.ts";
import type { Rule } from "./rule.ts";

/** Roo-Code, ToolRepetitionDetector (limit 3): the call that repeats the one before for the third time, so the fourth equal one; keys sorted. First reaction: it is refused and a person is asked. */
export const rooCode: Rule = {
  name: "Roo-Code",
  firstReaction: (run) => inARow(run, 4, stableKey),
};
