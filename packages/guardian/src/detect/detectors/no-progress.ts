import { isWrite } from "../../perceive/tool-kind.ts";
import type { Comparison, Pair } from "../comparison.ts";
import { type Count, countEqual, thirdPass } from "../count-equal.ts";
import { NOVEL } from "../discount.ts";
import { type Detector, detectionOf } from "./detector.ts";

/**
 * A call with less redundancy is more than half excused, for example by a person's message, and is part of no stretch.
 */
const STALE = 0.6;

/** The same answer to varied questions, or a stretch of calls with nothing novel in it. Counts calls. */
export const noProgress: Detector<"no-progress"> = {
  name: "no-progress",
  reason: "no_progress",
  detect(comparison) {
    const { tool, kind, outcome } = comparison.newest;
    if (outcome.status === "denied" || kind === "think") return undefined;
    const sameAnswers = countSameAnswers(comparison);
    const stretch = countStaleStretch(comparison);
    return stretch.count > sameAnswers.count
      ? detectionOf("stretch", stretch)
      : detectionOf(`${tool} ${outcome.masked}`, sameAnswers);
  },
};

const nothing: Count = { count: 0, exactCount: 0, evidence: [] };

function countSameAnswers(comparison: Comparison): Count {
  return comparison.newest.outcome.failure === undefined ? countEqual(comparison, answerWeight) : nothing;
}

function answerWeight({ isOutcomeEqual, value, discount, weight }: Pair): number {
  return isOutcomeEqual && value > NOVEL ? discount : weight;
}

/**
 * Sums the redundancy of the newest calls: calls that each repeat one earlier call are a loop, though none of them
 * occurs three times. A few novel calls may lie between. Looking around again once, in a single turn, does not count.
 */
function countStaleStretch(comparison: Comparison): Count {
  const { newest, history } = comparison;
  if (newest.redundancy < STALE) return nothing;
  const evidence: number[] = [];
  let count = 0.3;
  let novelCalls = 0;
  let isOneTurn = true;
  for (const call of history.toReversed()) {
    if (call.isSettled || call.scheduledPrompts !== newest.scheduledPrompts) break;
    if (call.redundancy < STALE) {
      if (++novelCalls > 1 + evidence.length / 3) break;
      continue;
    }
    count += call.redundancy;
    isOneTurn &&= call.turn === newest.turn;
    evidence.unshift(call.index);
  }
  if (isOneTurn && !isWrite(newest.kind)) return nothing;
  return { count, exactCount: thirdPass(count, countEqual(comparison, pairWeight).exactCount), evidence };
}

function pairWeight({ weight }: Pair): number {
  return weight;
}
