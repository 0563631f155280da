import type { Observation } from "../../state/observation.ts";
import type { Pair } from "../comparison.ts";
import { countEqual } from "../count-equal.ts";
import { failureWeight, isFailing } from "../failing.ts";
import { type Detector, detectionOf } from "./detector.ts";

/** The same or nearly the same call failing the same way. */
export const failingCall: Detector<"failing-call"> = {
  name: "failing-call",
  reason: "tool_failures",
  detect(comparison) {
    const { newest } = comparison;
    if (!isFailing(newest)) return undefined;
    const failures = countEqual(comparison, failureWeight);
    const sameIntent = countEqual(comparison, intentWeight);
    // At least half of the failures must be about the same thing.
    if (sameIntent.count < 2 || sameIntent.count - 1 < (failures.count - 1) / 2) return undefined;
    return detectionOf(newest.call.loose, failures);
  },
};

function intentWeight(pair: Pair, newest: Observation): number {
  return isSameIntent(pair, newest) ? failureWeight(pair) : 0;
}

/** The same call, or a similar one about the same target. */
function isSameIntent({ likeness, earlier }: Pair, newest: Observation): boolean {
  if (likeness === "similar") return earlier?.call.target === newest.call.target;
  return likeness !== "other";
}
