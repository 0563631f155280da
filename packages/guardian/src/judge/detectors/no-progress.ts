import { isWrite } from "../../signal.ts";
import { type Count, countEqual, NOVEL, type Pair, type Sight } from "../sight.ts";
import { type Detector, seenOf } from "./detector.ts";

/** The same answer to varied questions, or a stretch with nothing novel in it. Counts calls. */
export const noProgress: Detector<"no-progress"> = {
  name: "no-progress",
  rungs: { hint: 4, warn: 6, halt: 10 },
  reason: "no_progress",
  detect(sight) {
    const { newest } = sight;
    if (newest.outcome.status === "denied" || newest.kind === "think") return undefined;
    const answer = sameAnswer(sight);
    const stretch = nothingNovel(sight);
    return stretch.count > answer.count
      ? seenOf("stretch", stretch)
      : seenOf(`${newest.tool} ${newest.outcome.masked}`, answer);
  },
};

const nothing: Count = { count: 0, evidence: [] };

/** What is more than half excused, by a person's turn say, is no part of a stretch. */
const STALE = 0.6;

function sameAnswer(sight: Sight): Count {
  return sight.newest.outcome.failure === undefined ? countEqual(sight, answerWeight) : nothing;
}

function answerWeight({ isOutcomeEqual, value, discount, weight }: Pair): number {
  return isOutcomeEqual && value > NOVEL ? discount : weight;
}

/**
 * How much of the last calls was known before: calls that each repeat one earlier call are a loop though none stands three times.
 * Now and then a novel one may lie between. To look around again once, in a single turn, is no stretch.
 */
function nothingNovel(sight: Sight): Count {
  if (sight.newest.redundancy < STALE) return nothing;
  const evidence: number[] = [];
  let count = 0.3;
  let novel = 0;
  let isOneTurn = true;
  for (const each of sight.history.toReversed()) {
    if (each.isSettled || each.schedule !== sight.newest.schedule) break;
    if (each.redundancy < STALE) {
      if (++novel > 1 + evidence.length / 3) break;
      continue;
    }
    count += each.redundancy;
    isOneTurn &&= each.turn === sight.newest.turn;
    evidence.unshift(each.index);
  }
  return { count: isOneTurn && !isWrite(sight.newest.kind) ? 0 : count, evidence };
}
