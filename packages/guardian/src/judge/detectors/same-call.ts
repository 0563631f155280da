import type { Observation, Trace } from "../../state.ts";
import { type Count, countEqual, type Pair, type Sight } from "../sight.ts";
import type { Detector } from "./detector.ts";

/** The same call again and again, however its outcome changes; or thought upon thought and no deed: a treadmill. */
export const sameCall: Detector<"same-call"> = {
  name: "same-call",
  rungs: { hint: 20, warn: 30, halt: 60 },
  reason: "no_progress",
  detect(sight) {
    const { newest } = sight;
    if (newest.kind === "think") return { ...thoughts(sight), cause: newest.tool };
    const isPoll = newest.kind === "poll";
    return { ...countEqual(sight, (pair) => (pair.likeness === "same" ? pair.discount * (isPoll ? patience(pair) : 1) : 0)), cause: newest.call.exact };
  },
};

/** A poll is there to be asked again while its answer moves. */
function patience(pair: Pair): number {
  return pair.value === 0 ? 0.25 : 1;
}

/** The thoughts since the last deed. */
function thoughts({ history, past }: Sight): Count {
  const evidence: number[] = [];
  const isThought = (kind: Observation["kind"], index: number) => kind === "think" && evidence.unshift(index) > 0;
  const isAllThought = history.toReversed().every((each: Observation) => isThought(each.kind, each.index));
  if (isAllThought) past.toReversed().every((trace: Trace) => isThought(trace[5], trace[0]));
  return { count: evidence.length, evidence };
}
