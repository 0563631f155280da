import type { Observation } from "../../remembered-calls.ts";
import { countEqual, type Pair } from "../sight.ts";
import { type Detector, seenOf } from "./detector.ts";
import { failureWeight, isFailing } from "./failing.ts";

/** The same or nearly the same call failing the same way. */
export const failingCall: Detector<"failing-call"> = {
  name: "failing-call",
  rungs: { hint: 3, warn: 4, block: 5, halt: 8 },
  reason: "tool_failures",
  detect(sight) {
    const { newest } = sight;
    if (!isFailing(newest)) return undefined;
    const seen = countEqual(sight, failureWeight);
    const alike = countEqual(sight, intentWeight);
    if (alike.count < 2 || alike.count - 1 < (seen.count - 1) / 2) return undefined;
    return seenOf(newest.call.loose, seen);
  },
};

function intentWeight(pair: Pair, newest: Observation): number {
  return isSameIntent(pair, newest) ? failureWeight(pair) : 0;
}

/** The same call, or a similar one about the same thing. */
function isSameIntent({ likeness, earlier }: Pair, newest: Observation): boolean {
  if (likeness === "similar") return earlier?.call.target === newest.call.target;
  return likeness !== "other";
}
