import { countEqual } from "../sight.ts";
import type { Detector } from "./detector.ts";

/** The same or nearly the same call with the same outcome. */
export const doomLoop: Detector<"doom-loop"> = {
  name: "doom-loop",
  rungs: { hint: 3, warn: 4, block: 5, halt: 8 },
  reason: "doom_loop",
  detect(sight) {
    if (sight.newest.outcome.failure !== undefined) return undefined;
    return { ...countEqual(sight, (pair) => (pair.likeness === "other" ? 0 : pair.weight)), cause: sight.newest.call.loose };
  },
};
