import type { Observation } from "../../remembered-calls.ts";
import { type Count, countEqual, type Pair, type Sight } from "../sight.ts";
import { type Detector, seenOf } from "./detector.ts";

/** The same call again and again, however its outcome changes; or thought upon thought and no deed: a treadmill. */
export const sameCall: Detector<"same-call"> = {
  name: "same-call",
  rungs: { hint: 20, warn: 30, halt: 60 },
  reason: "no_progress",
  detect(sight) {
    const { newest } = sight;
    if (newest.kind === "think") return seenOf(newest.tool, thoughts(sight));
    return seenOf(newest.call.exact, countEqual(sight, wear));
  },
};

/** A poll is there to be asked again while its answer moves. The very same failure counts whatever was changed in between: it does not help. */
function wear({ likeness, isFailure, isOutcomeEqual, value, discount }: Pair, newest: Observation): number {
  if (likeness !== "same") return 0;
  if (isFailure && isOutcomeEqual && discount > 0) return 1;
  return discount * (newest.kind === "poll" && value === 0 ? 0.25 : 1);
}

/** The thoughts since the last deed. */
function thoughts({ history, past }: Sight): Count {
  const calls = [...past.map((trace) => ({ kind: trace[5], index: trace[0] })), ...history];
  const evidence = calls.slice(calls.findLastIndex(({ kind }) => kind !== "think") + 1).map(({ index }) => index);
  return { count: evidence.length, evidence };
}
