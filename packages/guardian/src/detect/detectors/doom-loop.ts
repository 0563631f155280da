import type { Pair } from "../comparison.ts";
import { countEqual } from "../count-equal.ts";
import { type Detector, detectionOf } from "./detector.ts";

/** The same or nearly the same call with the same outcome. */
export const doomLoop: Detector<"doom-loop"> = {
  name: "doom-loop",
  reason: "doom_loop",
  detect(comparison) {
    const { call, outcome } = comparison.newest;
    if (outcome.failure !== undefined) return undefined;
    return detectionOf(call.loose, countEqual(comparison, sameCallWeight));
  },
};

function sameCallWeight({ likeness, weight }: Pair): number {
  return likeness === "other" ? 0 : weight;
}
