import type { Pair } from "../comparison.ts";
import { countEqual } from "../count-equal.ts";
import { NOVEL } from "../discount.ts";
import type { Detector } from "./detector.ts";

/**
 * A repeating sequence of two or more calls, tolerant of other calls in between and of reordered parallel calls.
 * Counts laps.
 */
export const cycle: Detector<"cycle"> = {
  name: "cycle",
  reason: "doom_loop",
  detect(comparison) {
    const laps = countEqual(comparison, lapWeight);
    const previousLap = laps.evidence.at(-2);
    if (previousLap === undefined) return undefined;
    const lap = comparison.history.filter(
      ({ index, redundancy, likeness }) => index > previousLap && redundancy >= NOVEL && likeness >= 0.9,
    );
    const calls = [...new Set(lap.map(({ call }) => call.loose))].sort();
    if (calls.length < 2) return undefined;
    return {
      ...laps,
      cause: calls.join(),
      period: calls.length,
      prints: [...new Set(lap.slice(-4).flatMap(({ call }) => [call.exact, call.loose]))],
    };
  },
};

function lapWeight({ isOutcomeEqual, likeness, weight }: Pair): number {
  return isOutcomeEqual && (likeness === "same" || likeness === "near") ? weight : 0;
}
