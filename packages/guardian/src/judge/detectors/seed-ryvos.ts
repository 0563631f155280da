import { finishedCalls, type Made } from "../sequence.ts";
import type { Count } from "../sight.ts";
import type { Detector } from "./detector.ts";

/** Ryvos: the newest calls are all the same call, spacing and the like aside, whatever came of them. Counts the calls of all stretches of so many equal ones. */
export const seedRyvos: Detector<"seed-ryvos"> = {
  name: "seed-ryvos",
  rungs: { hint: 3, warn: 6, block: 9, halt: 12 },
  reason: "doom_loop",
  detect(sight, { hint = 3 }) {
    const calls = finishedCalls(sight, sight.newest.personTurn);
    const { exact, loose } = sight.newest.call;
    const isSame = calls.map(({ print, loosely }) => print === exact || loosely === loose);
    return equalTail(isSame) < hint ? undefined : { ...stretches(calls, isSame, hint), cause: loose };
  },
};

/** All stretches of equal calls that are long enough: a loop that is interrupted for a moment goes on counting. */
function stretches(calls: readonly Made[], isSame: readonly boolean[], least: number): Count {
  const evidence: number[] = [];
  let stretch: number[] = [];
  calls.forEach(({ index }, place) => {
    stretch = isSame[place] ? [...stretch, index] : [];
    if (stretch.length === least) evidence.push(...stretch);
    if (stretch.length > least) evidence.push(index);
  });
  return { count: evidence.length, evidence };
}

/** How many of the newest are equal in a row: Ryvos calls three equal calls a doom loop. */
export function equalTail<T>(items: readonly T[], isEqual: (a: T, b: T) => boolean = Object.is): number {
  const newest = items.length - 1;
  return newest - items.findLastIndex((item) => !isEqual(item, items[newest] as T)); // there is a newest, or nothing would be asked
}
