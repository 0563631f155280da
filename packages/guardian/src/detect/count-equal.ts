import type { Observation } from "../state/observation.ts";
import type { Comparison, Pair } from "./comparison.ts";

/** A count, and the calls that were counted. */
export interface Count {
  readonly count: number;
  /** The same for equal calls with equal outcomes alone: a refusal and the end of the run need it. Default: `count`. */
  readonly exactCount?: number;
  /** Indexes of the calls, oldest first. */
  readonly evidence: readonly number[];
  /** All of them are exactly the same call. */
  readonly isExact?: boolean;
}

type ExactCount = Count & Required<Pick<Count, "exactCount">>;

/** The worth of a pair, 0 to 1; 0 leaves it out. */
export type Weigh = (pair: Pair, newest: Observation) => number;

/** The number of equal calls. */
export function countEqual(
  { newest, pairs }: Comparison,
  weigh: Weigh,
  isExact: IsExact = (pair) => pair.isExact,
): ExactCount {
  const weighed = pairs.map((pair) => ({ pair, weight: weigh(pair, newest) })).filter(({ weight }) => weight > 0);
  const counted = countedPairs(weighed, newest.turn);
  const exactlyCounted = countedPairs(
    weighed.filter(({ pair }) => isExact(pair)),
    newest.turn,
  );
  return {
    count: sumOf(counted),
    exactCount: sumOf(exactlyCounted),
    evidence: [...counted.map(({ pair }) => pair.index).sort((a, b) => a - b), newest.index],
    isExact: weighed.every(({ pair }) => pair.likeness === "same"),
  };
}

/**
 * The exact count of a stretch of different calls: doing each of them once more is a second pass, and the stretch
 * counts from the third on.
 */
export function thirdPass(stretchCount: number, exactCountOfNewest: number): number {
  return exactCountOfNewest >= THIRD ? stretchCount : 0;
}

/** Evidence is graded, so the third equal call may count a little less. */
const THIRD = 2.8;

/** Whether a pair is an exact repetition. */
type IsExact = (pair: Pair) => boolean;

interface WeighedPair {
  readonly pair: Pair;
  readonly weight: number;
}

/** The pair with the largest weight of each earlier turn, and all pairs of this turn. */
function countedPairs(weighed: readonly WeighedPair[], newestTurn: number): readonly WeighedPair[] {
  const largestByTurn = new Map<number, WeighedPair>();
  for (const each of weighed) {
    const { turn } = each.pair;
    if (turn !== newestTurn && each.weight > (largestByTurn.get(turn)?.weight ?? 0)) largestByTurn.set(turn, each);
  }
  return [...weighed.filter(({ pair }) => pair.turn === newestTurn), ...largestByTurn.values()];
}

/** One for the newest call, plus the weights. */
function sumOf(counted: readonly WeighedPair[]): number {
  return counted.reduce((sum, { weight }) => sum + weight, 1);
}
