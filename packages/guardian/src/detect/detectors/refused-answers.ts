import type { Sketch } from "../../perceive/print.ts";
import { similarity } from "../../perceive/sketch.ts";
import type { Watcher } from "./detector.ts";

/** Hints that share this much say much the same. */
const SAME_HINT = 0.7;

/**
 * A judge refuses one answer after another, whatever the agent does in between. Counts refusals; one with another hint
 * than the newest counts half, because the agent may get on.
 */
export const refusedAnswers: Watcher<"refused-answers", "verdict"> = {
  name: "refused-answers",
  reason: "no_progress",
  isClosedByNoCall: true,
  on: "verdict",
  notice({ refusedAnswers: hints }, { verdict }) {
    const newest = hints.at(-1);
    if (newest === undefined || verdict === "escalate") return undefined;
    const sameHints = hints.filter((hint) => isSameHint(hint, newest)).length;
    const count = sameHints + (hints.length - sameHints) / 2;
    if (count < 2) return undefined;
    const repetitions = hints.includes("") ? 0 : sameHints; // an answer without a hint may not have been judged
    return { cause: "", count, times: hints.length, repetitions, advice: "say-what-is-missing" };
  },
};

function isSameHint(hint: Sketch, newest: Sketch): boolean {
  return hint === newest || similarity(hint, newest) >= SAME_HINT;
}
