import type { Observation } from "../../remembered-calls.ts";
import { countEqual, type Pair } from "../sight.ts";
import type { Detector } from "./detector.ts";
import { isFailing } from "./failing.ts";

/** The same or nearly the same call failing the same way. */
export const failingCall: Detector<"failing-call"> = {
  name: "failing-call",
  rungs: { hint: 3, warn: 4, block: 5, halt: 8 },
  reason: "tool_failures",
  detect(sight) {
    const { newest } = sight;
    if (!isFailing(newest)) return undefined;
    const seen = countEqual(sight, (pair) => (pair.isFailure ? pair.weight : 0));
    const alike = countEqual(sight, (pair) => (pair.isFailure && isSameIntent(pair, newest) ? pair.weight : 0));
    if (alike.count < 2 || alike.count - 1 < (seen.count - 1) / 2) return undefined;
    return { ...seen, cause: newest.call.loose };
  },
};

/** The same call, or a similar one about the same thing. */
function isSameIntent({ likeness, earlier }: Pair, newest: Observation): boolean {
  if (likeness === "similar") return earlier?.call.target === newest.call.target;
  return likeness !== "other";
}
