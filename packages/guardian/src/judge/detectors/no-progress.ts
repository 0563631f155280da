import { isWrite } from "../../signal.ts";
import { type Count, countEqual, NOVEL, type Sight } from "../sight.ts";
import type { Detector } from "./detector.ts";

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
    return stretch.count > answer.count ? { ...stretch, cause: "stretch" } : { ...answer, cause: `${newest.tool} ${newest.outcome.masked}` };
  },
};

/** What is more than half excused, by a person's turn say, is no part of a stretch. */
const STALE = 0.6;

function sameAnswer(sight: Sight): Count {
  if (sight.newest.outcome.failure !== undefined) return { count: 0, evidence: [] };
  return countEqual(sight, (pair) => (pair.isOutcomeEqual && pair.value > NOVEL ? pair.discount : pair.weight));
}

/**
 * How much of the last calls was known before: calls that each repeat one earlier call are a loop though none stands three times.
 * Now and then a novel one may lie between. To look around again once, in a single turn, is no stretch.
 */
function nothingNovel(sight: Sight): Count {
  const evidence: number[] = [];
  if (sight.newest.redundancy < STALE) return { count: 0, evidence };
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
