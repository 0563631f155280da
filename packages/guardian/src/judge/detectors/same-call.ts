import { countEqual, type Pair, type Sight } from "../sight.ts";
import type { Detector } from "./detector.ts";
import { found } from "./found.ts";

/** The same call again and again, however its outcome changes; or thought upon thought and no deed: a treadmill. */
export const sameCall: Detector = (sight) => {
  if (sight.newest.kind === "think") return thinking(sight);
  const isPoll = sight.newest.kind === "poll";
  const seen = countEqual(sight, (pair) => (pair.likeness === "same" ? pair.discount * (isPoll ? patience(pair) : 1) : 0));
  return seen.count < 3 ? undefined : found("same-call", sight, { ...seen, cause: sight.newest.call.exact });
};

/** A poll is there to be asked again while its answer moves. */
function patience(pair: Pair): number {
  return pair.value === 0 ? 0.25 : 1;
}

function thinking(sight: Sight): ReturnType<Detector> {
  const evidence: number[] = [];
  for (let i = sight.history.length - 1; i >= 0 && sight.history[i]?.kind === "think"; i--) evidence.unshift(sight.history[i]?.index ?? 0);
  if (evidence.length === sight.history.length) {
    for (let i = sight.past.length - 1; i >= 0 && sight.past[i]?.[5] === "think"; i--) evidence.unshift(sight.past[i]?.[0] ?? 0);
  }
  return evidence.length < 3 ? undefined : found("same-call", sight, { count: evidence.length, evidence, cause: sight.newest.tool });
}
