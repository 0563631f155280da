import type { Observation } from "../state/observation.ts";
import type { Comparison, Pair } from "./comparison.ts";

/** A count, and the calls that were counted. */
export interface Count {
  readonly count: number;
  /** Indexes of the calls, oldest first. */
  readonly evidence: readonly number[];
  /** All of them are exactly the same call. */
  readonly isExact?: boolean;
}

/** The worth of a pair, 0 to 1; 0 leaves it out. */
export type Weigh = (pair: Pair, newest: Observation) => number;

/** The number of equal calls: one, plus the largest weight of each earlier turn, plus all weights of this turn. */
export function countEqual({ newest, pairs }: Comparison, weigh: Weigh): Count {
  const weighed = pairs.map((pair) => ({ pair, weight: weigh(pair, newest) })).filter(({ weight }) => weight > 0);
  const sameTurn = weighed.filter(({ pair }) => pair.turn === newest.turn);
  const largestByTurn = new Map<number, (typeof weighed)[number]>();
  for (const each of weighed) {
    const { turn } = each.pair;
    if (turn !== newest.turn && each.weight > (largestByTurn.get(turn)?.weight ?? 0)) largestByTurn.set(turn, each);
  }
  const counted = [...sameTurn, ...largestByTurn.values()];
  return {
    count: counted.reduce((sum, { weight }) => sum + weight, 1),
    evidence: [...counted.map(({ pair }) => pair.index).sort((a, b) => a - b), newest.index],
    isExact: weighed.every(({ pair }) => pair.likeness === "same"),
  };
}
