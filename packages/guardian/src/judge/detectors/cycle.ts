import { countEqual, NOVEL, type Pair } from "../sight.ts";
import type { Detector } from "./detector.ts";

/** A repeating tail of any period from two calls up, tolerant of noise between and of reordered parallel calls. Counts laps. */
export const cycle: Detector<"cycle"> = {
  name: "cycle",
  rungs: { hint: 3, warn: 4, block: 5, halt: 7 },
  reason: "doom_loop",
  detect(sight) {
    const laps = countEqual(sight, lapWeight);
    const lapBefore = laps.evidence.at(-2);
    if (lapBefore === undefined) return undefined;
    const lap = sight.history.filter(
      (each) => each.index > lapBefore && each.redundancy >= NOVEL && each.likeness >= 0.9,
    );
    const calls = [...new Set(lap.map((each) => each.call.loose))].sort();
    if (calls.length < 2) return undefined;
    return {
      ...laps,
      cause: calls.join(),
      period: calls.length,
      prints: [...new Set(lap.slice(-4).flatMap((each) => [each.call.exact, each.call.loose]))],
    };
  },
};

function lapWeight({ isOutcomeEqual, likeness, weight }: Pair): number {
  return isOutcomeEqual && (likeness === "same" || likeness === "near") ? weight : 0;
}
