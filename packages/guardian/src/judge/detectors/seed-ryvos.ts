import { finishedCalls } from "../sequence.ts";
import type { Detector } from "./detector.ts";

/** Ryvos: the newest calls are all the same call, whatever came of them. Counts them. */
export const seedRyvos: Detector<"seed-ryvos"> = {
  name: "seed-ryvos",
  rungs: { hint: 3, warn: 6, block: 9, halt: 12 },
  reason: "doom_loop",
  detect(sight) {
    const calls = finishedCalls(sight, sight.newest.personTurn);
    const count = equalTail(calls.map(({ print }) => print));
    return { count, evidence: calls.slice(-count).map(({ index }) => index), isExact: true, cause: sight.newest.call.exact };
  },
};

/** How many of the newest are equal in a row: Ryvos calls three equal calls a doom loop. */
export function equalTail<T>(items: readonly T[], isEqual: (a: T, b: T) => boolean = Object.is): number {
  const newest = items.length - 1;
  return newest - items.findLastIndex((item) => !isEqual(item, items[newest] as T)); // there is a newest, or nothing would be asked
}
