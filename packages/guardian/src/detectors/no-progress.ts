import { countEqual, NOVEL, type Sight } from "../sight.ts";
import type { Detector } from "./detector.ts";
import { found } from "./found.ts";

/** The same answer to varied questions, or a stretch with nothing novel in it. Counts calls. */
export const noProgress: Detector = (sight) => {
  const answer = sameAnswer(sight);
  const stretch = nothingNovel(sight);
  const larger = stretch.count > answer.count ? stretch : answer;
  if (larger.count < 3) return undefined;
  return found("no-progress", sight, { ...larger, cause: larger === answer ? `${sight.newest.tool} ${sight.newest.outcome.masked}` : "stretch" });
};

function sameAnswer(sight: Sight): { readonly count: number; readonly evidence: readonly number[] } {
  if (sight.newest.outcome.failure !== undefined) return { count: 0, evidence: [] };
  return countEqual(
    sight,
    (pair) => pair.isOutcomeEqual && pair.value > 0,
    (pair) => (pair.value > 0 ? pair.discount : 0),
  );
}

/** How much of the last six calls was known before: six calls that each repeat one earlier call are a loop though none stands three times. */
function nothingNovel(sight: Sight): { readonly count: number; readonly evidence: readonly number[] } {
  const evidence: number[] = [];
  let count = 0.3;
  for (let i = sight.history.length - 1; i >= Math.max(0, sight.history.length - 6); i--) {
    const each = sight.history[i];
    if (each === undefined || each.isSettled) break;
    count += each.redundancy;
    if (each.redundancy >= NOVEL) evidence.unshift(each.index);
  }
  return { count, evidence };
}
