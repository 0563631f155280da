import { countEqual } from "../sight.ts";
import { type Detector, seenOf } from "./detector.ts";
import { failureWeight } from "./failing.ts";

/** A call refused by the gate, by permissions or by a person, made again all the same. */
export const denial: Detector<"denial"> = {
  name: "denial",
  rungs: { halt: 5 },
  reason: "denials",
  detect(sight) {
    if (sight.newest.outcome.status !== "denied") return undefined;
    return seenOf(sight.newest.tool, countEqual(sight, failureWeight));
  },
};
