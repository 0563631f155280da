import { countEqual } from "../sight.ts";
import type { Detector } from "./detector.ts";

/** A call refused by the gate, by permissions or by a person, made again all the same. */
export const denial: Detector<"denial"> = {
  name: "denial",
  rungs: { halt: 5 },
  reason: "denials",
  detect(sight) {
    if (sight.newest.outcome.status !== "denied") return undefined;
    return { ...countEqual(sight, (pair) => (pair.isFailure ? pair.weight : 0)), cause: sight.newest.tool };
  },
};
