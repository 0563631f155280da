import { countEqual, type Pair } from "../sight.ts";
import { type Detector, seenOf } from "./detector.ts";

/** The same or nearly the same call with the same outcome. */
export const doomLoop: Detector<"doom-loop"> = {
  name: "doom-loop",
  rungs: { hint: 3, warn: 4, block: 5, halt: 8 },
  reason: "doom_loop",
  detect(sight) {
    if (sight.newest.outcome.failure !== undefined) return undefined;
    return seenOf(sight.newest.call.loose, countEqual(sight, likeWeight));
  },
};

function likeWeight({ likeness, weight }: Pair): number {
  return likeness === "other" ? 0 : weight;
}
