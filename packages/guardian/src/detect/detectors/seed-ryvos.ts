import { finishedCalls, type SequencedCall } from "../call-sequence.ts";
import type { Count } from "../count-equal.ts";
import type { Detector } from "./detector.ts";

/**
 * Ryvos: the newest calls are all the same call, ignoring spacing and the like, whatever their outcomes are.
 * Counts the calls of all sufficiently long stretches of this call.
 */
export const seedRyvos: Detector<"seed-ryvos"> = {
  name: "seed-ryvos",
  reason: "doom_loop",
  detect(comparison, { hint = 3 }) {
    const { personTurn, call } = comparison.newest;
    const calls = finishedCalls(comparison, personTurn);
    const isSame = calls.map(({ print, loose }) => print === call.exact || loose === call.loose);
    if (equalTail(isSame) < hint) return undefined;
    return { ...countStretches(calls, isSame, hint), cause: call.loose };
  },
};

/**
 * Counts all stretches of at least `minLength` equal calls: a loop that is interrupted for a moment continues to
 * count.
 */
function countStretches(calls: readonly SequencedCall[], isSame: readonly boolean[], minLength: number): Count {
  const evidence: number[] = [];
  let stretch: number[] = [];
  for (const [i, { index }] of calls.entries()) {
    stretch = isSame[i] ? [...stretch, index] : [];
    if (stretch.length === minLength) evidence.push(...stretch);
    if (stretch.length > minLength) evidence.push(index);
  }
  return { count: evidence.length, evidence };
}

/** The number of equal items at the end of a list. Ryvos calls three equal calls a doom loop. */
export function equalTail<T>(items: readonly T[], isEqual: (a: T, b: T) => boolean = Object.is): number {
  const newest = items.at(-1) as T; // an empty list has no items to compare with
  return items.length - 1 - items.findLastIndex((item) => !isEqual(item, newest));
}
